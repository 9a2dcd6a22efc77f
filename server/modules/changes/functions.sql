call read_across('domain_event', 'transaction, id, at');
grant select on event_cursor to app_across;

-- A restored copy is another database, whose transactions have other numbers: feeds begin anew, and what a subscriber has not heard yet gets
-- the smallest numbers in its order. Every database has used those for itself.
create or replace function begin_changes_anew() returns trigger language plpgsql as $$
begin
  delete from domain_event where transaction < coalesce((select min(transaction) from event_cursor), '0');
  create temporary table unheard on commit drop as
    select transaction as was, id, (2 + ntile(500) over (order by transaction, id))::text::xid8 as number from domain_event;
  update event_cursor c set transaction = coalesce((select min(number) from unheard where was >= c.transaction), '503');
  update domain_event e set transaction = u.number from unheard u where e.transaction = u.was and e.id = u.id;
  drop table unheard;
  delete from event_seen;
  delete from change_horizon;
  update change_epoch set epoch = gen_random_uuid();
  return null;
end $$;

-- What was on the clock and what was taken off as meal breaks, beside what counts.
create or replace function told_of(r time_record) returns jsonb language sql stable as $$
  select jsonb_build_object('StudentId', r.student_id, 'SiteId', r.site_id, 'Kind', r.kind, 'OccurredAt', r.occurred_at, 'EndsAt', r.ends_at,
    'AssignmentId', r.assignment_id, 'Date', r.date, 'Minutes', r.minutes, 'ClockMinutes', coalesce(r.clock_minutes, r.minutes), 'MealMinutes', r.meal_minutes,
    'Status', r.status, 'IsMatched', r.is_matched, 'IsDeleted', r.deleted_at is not null)
$$;

create or replace function told_of(a shift_assignment) returns jsonb language sql stable as $$
  select jsonb_build_object('StudentId', a.student_id, 'SiteId', a.site_id, 'ShiftId', a.site_shift_id, 'Date', a.date,
    'StartsAt', a.starts_at, 'EndsAt', a.ends_at, 'IsRemoved', a.removed_at is not null)
$$;

-- Of a person only numbers, beside the names of the fields that changed.
create or replace function told_of(a account) returns jsonb language sql stable as $$
  select jsonb_build_object('AccessLevel', a.access_level, 'StudentNumber', a.student_number,
    'IsActive', coalesce(a.deactivated_at, a.deleted_at) is null, 'IsDeleted', a.deleted_at is not null)
$$;

-- The one place that says which changes are events and what they hold. It only writes them down: what follows from them is in TypeScript.
create or replace function append_event() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  e domain_event;
begin
  case tg_table_name
    when 'time_record' then
      -- What is told of a record, and not when its student was written to.
      if tg_op = 'UPDATE' and (new.student_id, new.site_id, new.kind, new.occurred_at, new.ends_at, new.minutes, new.clock_minutes,
          new.meal_minutes, new.status, new.insight, new.reasons, new.reason, new.assignment_id, new.rotation_id, new.partner_id,
          new.change_status, new.decided_at, new.decision_reason, new.deleted_at)
        is not distinct from (old.student_id, old.site_id, old.kind, old.occurred_at, old.ends_at, old.minutes, old.clock_minutes,
          old.meal_minutes, old.status, old.insight, old.reasons, old.reason, old.assignment_id, old.rotation_id, old.partner_id,
          old.change_status, old.decided_at, old.decision_reason, old.deleted_at) then return null; end if;
      e.kind := 'time-record';
      e.program_id := new.program_id; e.record_id := new.id; e.student_id := new.student_id; e.after := told_of(new);
      e.is_deleted := new.deleted_at is not null;
      if tg_op = 'UPDATE' then e.before := told_of(old); end if;
    when 'shift_assignment' then
      e.kind := 'assignment';
      e.program_id := new.program_id; e.record_id := new.id; e.student_id := new.student_id; e.after := told_of(new);
      e.is_deleted := new.removed_at is not null;
      if tg_op = 'UPDATE' then e.before := told_of(old); end if;
    when 'account' then
      -- What is told of a person, and not how they sign in or what they prefer.
      if tg_op = 'UPDATE' and (new.first_name, new.middle_name, new.last_name, new.suffix, new.user_name, new.email, new.phone,
          new.access_level, new.student_number, new.cohort, new.student_level_id, new.area_id, new.zip, new.institution,
          new.deactivated_at, new.deleted_at)
        is not distinct from (old.first_name, old.middle_name, old.last_name, old.suffix, old.user_name, old.email, old.phone,
          old.access_level, old.student_number, old.cohort, old.student_level_id, old.area_id, old.zip, old.institution,
          old.deactivated_at, old.deleted_at) then return null; end if;
      e.kind := 'person';
      e.program_id := new.program_id; e.record_id := new.id; e.after := told_of(new); e.is_deleted := new.deleted_at is not null;
      if tg_op = 'UPDATE' then
        e.before := told_of(old);
        e.after := e.after || jsonb_build_object('Changed', array_remove(array[
          case when new.first_name is distinct from old.first_name then 'FirstName' end,
          case when new.last_name is distinct from old.last_name then 'LastName' end,
          case when new.email is distinct from old.email then 'EmailAddress' end,
          case when new.access_level is distinct from old.access_level then 'AccessLevel' end,
          case when new.student_number is distinct from old.student_number then 'StudentNumber' end,
          case when new.cohort is distinct from old.cohort then 'Cohort' end,
          case when new.student_level_id is distinct from old.student_level_id then 'StudentLevelId' end,
          case when new.area_id is distinct from old.area_id then 'AreaId' end,
          case when e.after -> 'IsActive' <> e.before -> 'IsActive' then 'IsActive' end], null));
      end if;
    when 'evaluation' then
      -- Nothing of an anonymous form: the moment would tell whose it is. Nor who evaluated whom.
      if new.anonymous_number is not null or exists (select from evaluation_template t
        where t.program_id = new.program_id and t.id = new.template_id and t.is_anonymous) then return null; end if;
      e.kind := 'evaluation'; e.program_id := new.program_id; e.record_id := new.id; e.is_deleted := new.deleted_at is not null;
      if tg_op = 'UPDATE' then e.before := jsonb_build_object('IsCompleted', old.is_completed); end if;
      e.after := jsonb_build_object('TemplateId', new.template_id, 'Date', new.date, 'IsCompleted', new.is_completed);
    when 'student_requirement' then
      if tg_op = 'UPDATE' and new is not distinct from old then return null; end if;
      e.kind := 'requirement';
      if tg_op = 'DELETE' then
        e.program_id := old.program_id; e.record_id := old.requirement_id; e.student_id := old.student_id; e.is_deleted := old.site_id = 0;
      else
        e.program_id := new.program_id; e.record_id := new.requirement_id; e.student_id := new.student_id;
      end if;
    when 'requirement_proof' then
      if new.state <> 'accepted' or (tg_op = 'UPDATE' and old.state = 'accepted') then return null; end if;
      e.kind := 'proof'; e.program_id := new.program_id; e.record_id := new.id; e.student_id := new.student_id;
      e.after := jsonb_build_object('RequirementId', new.requirement_id);
    when 'exam_attempt' then
      e.kind := 'competency'; e.program_id := new.program_id; e.record_id := new.id; e.student_id := new.student_id;
      e.is_deleted := new.state = 'voided';
      if tg_op = 'UPDATE' then e.before := jsonb_build_object('State', old.state); end if;
      e.after := jsonb_build_object('ProcedureId', new.skill_id, 'Date', new.date, 'State', new.state);
    when 'procedure_log' then
      e.kind := 'procedure'; e.program_id := new.program_id; e.record_id := new.id; e.student_id := new.student_id;
      e.is_deleted := new.deleted_at is not null;
      if tg_op = 'UPDATE' then e.before := jsonb_build_object('State', old.state); end if;
      e.after := jsonb_build_object('ProcedureId', new.skill_id, 'Count', new.count, 'Date', new.date, 'State', new.state);
    when 'placement_acceptance' then
      e.kind := 'placement'; e.program_id := new.program_id; e.record_id := new.plan_id;
      e.after := jsonb_build_object('DraftId', new.draft_id);
    when 'agreement_reminder' then
      e.kind := 'agreement'; e.program_id := new.program_id; e.record_id := new.agreement_id;
      e.after := jsonb_build_object('EndDate', new.termination_date);
    when 'notification' then
      if not exists (select from push_service where is_on) then return null; end if;
      e.kind := 'notification'; e.program_id := new.program_id; e.record_id := new.id; e.student_id := new.account_id;
      e.after := jsonb_build_object('Kind', new.kind, 'Link', new.link);
  end case;
  if e.program_id is null then return null; end if;
  insert into domain_event (program_id, kind, record_id, student_id, is_deleted, before, after, actor_id, is_quiet)
    values (e.program_id, e.kind, e.record_id, coalesce(e.student_id, 0), coalesce(e.is_deleted, tg_op = 'DELETE'), e.before, e.after,
      current_account(), current_program() is null);
  return null;
end $$;

-- The tables whose changes are events. One that is has its trigger already and is not locked again.
do $$
declare
  of_table regclass;
  changes text;
begin
  for of_table, changes in values
    ('account'::regclass, 'insert or update'),
    ('agreement_reminder', 'insert or update'),
    ('evaluation', 'insert or update'),
    ('exam_attempt', 'insert or update'),
    ('notification', 'insert'),
    ('placement_acceptance', 'insert'),
    ('procedure_log', 'insert or update'),
    ('requirement_proof', 'insert or update'),
    ('shift_assignment', 'insert or update'),
    ('student_requirement', 'insert or delete or update'),
    ('time_record', 'insert or update')
  loop
    if not exists (select from pg_trigger where tgrelid = of_table and tgname = 'event'
      and pg_get_triggerdef(oid) like '% AFTER ' || upper(changes) || ' ON %') then
      execute format('create or replace trigger event after %s on %s for each row execute function append_event()', changes, of_table);
    end if;
  end loop;
end $$;

-- What was changed in a program and could not be seen yet by whoever had this snapshot.
create or replace function events_since(of_program bigint, seen pg_snapshot) returns setof domain_event language sql stable as $$
  select e.* from domain_event e
  where e.program_id = of_program and e.transaction >= pg_snapshot_xmin(seen) and not pg_visible_in_snapshot(e.transaction, seen)
  -- Found by the transaction alone: the planner does not know how few there are, and would look among all of a kind.
  offset 0
$$;
