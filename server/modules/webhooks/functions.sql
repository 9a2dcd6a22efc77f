-- Writes an event, and for each endpoint that wants it the row by which it is sent. Nothing without such an endpoint.
create or replace function emit_webhook(of_program bigint, event_type text, of_subject text, event_data jsonb, told_once text default null,
  to_endpoint bigint default null) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  event_number bigint;
  new_event bigint;
begin
  if told_once is not null and exists (select from webhook_event where program_id = of_program and once = told_once) then return; end if;
  insert into webhook_subject as s (program_id, subject, last_number) values (of_program, of_subject, 1)
    on conflict (program_id, subject) do update set last_number = s.last_number + 1 returning last_number into event_number;
  insert into webhook_event (program_id, type, subject, number, data, once)
    values (of_program, event_type, of_subject, event_number, event_data, told_once)
    on conflict (program_id, once) where once is not null do nothing returning id into new_event;
  if new_event is null then return; end if;
  insert into webhook_delivery (program_id, endpoint_id, event_id, subject)
    select program_id, id, new_event, of_subject from webhook_endpoint
    where program_id = of_program and is_enabled and deleted_at is null
      and case when to_endpoint is null then event_type = any (events) else id = to_endpoint end;
  -- One job a transaction. Without a key: jobs of one key would make transactions wait for each other.
  if current_setting('app.webhook_job', true) is distinct from pg_current_xact_id()::text then
    perform graphile_worker.add_job('webhooks:send', json_build_object('programId', of_program), max_attempts => 3);
    perform set_config('app.webhook_job', pg_current_xact_id()::text, true);
  end if;
end $$;
revoke execute on function emit_webhook(bigint,text,text,jsonb,text,bigint) from public;

create or replace function wants_webhook(of_program bigint, event_type text) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from webhook_endpoint e where e.program_id = of_program and e.is_enabled and e.deleted_at is null
    and event_type = any (e.events))
$$;

create or replace function webhook_of_assignment() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'assignment.created', 'assignment/' || n.id, jsonb_build_object('AssignmentId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'ShiftId', n.site_shift_id, 'Date', n.date))
      from new_rows n where wants_webhook(n.program_id, 'assignment.created') order by n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'assignment/' || n.id, jsonb_build_object('AssignmentId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'ShiftId', n.site_shift_id, 'Date', n.date,
        'Before', jsonb_build_object('StudentId', o.student_id, 'SiteId', o.site_id, 'ShiftId', o.site_shift_id, 'Date', o.date,
          'IsRemoved', o.removed_at is not null)))
      from new_rows n join old_rows o on o.program_id = n.program_id and o.id = n.id
      cross join lateral (select case
        when n.removed_at is not null and o.removed_at is null then 'assignment.removed'
        when n.removed_at is null and o.removed_at is not null then 'assignment.created'
        when (n.student_id, n.site_id, n.site_shift_id, n.date) is distinct from (o.student_id, o.site_id, o.site_shift_id, o.date)
          then 'assignment.changed' end as type) c
      where c.type is not null and wants_webhook(n.program_id, c.type) order by n.id;
  end if;
  return null;
end $$;

-- Events of hours tell what was on the clock and what was taken off as meal breaks beside what counts, as records do.
create or replace function webhook_of_time_record() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'time.punched', 'student/' || n.student_id || '/time', jsonb_build_object('RecordId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'Kind', n.kind, 'OccurredAt', n.occurred_at))
      from new_rows n where n.kind in ('in', 'out') and wants_webhook(n.program_id, 'time.punched') order by n.student_id, n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'student/' || n.student_id || '/time', jsonb_build_object('RecordId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'Kind', n.kind, 'OccurredAt', n.occurred_at, 'EndsAt', n.ends_at, 'Minutes', n.minutes,
        'ClockMinutes', coalesce(n.clock_minutes, n.minutes), 'MealMinutes', n.meal_minutes, 'Status', n.status,
        'Before', jsonb_build_object('StudentId', o.student_id, 'SiteId', o.site_id, 'Kind', o.kind,
          'OccurredAt', o.occurred_at, 'EndsAt', o.ends_at, 'Minutes', o.minutes,
          'ClockMinutes', coalesce(o.clock_minutes, o.minutes), 'MealMinutes', o.meal_minutes, 'Status', o.status)))
      from new_rows n join old_rows o on o.program_id = n.program_id and o.id = n.id
      cross join lateral (select case
        when n.deleted_at is not null and o.deleted_at is null then 'time.deleted'
        when n.deleted_at is null and o.deleted_at is not null then 'time.restored'
        when n.status <> o.status and n.status in ('approved', 'rejected') then 'time.' || n.status
        when (n.student_id, n.site_id, n.kind, n.occurred_at, n.ends_at, n.minutes, n.clock_minutes, n.meal_minutes, n.status)
          is distinct from (o.student_id, o.site_id, o.kind, o.occurred_at, o.ends_at, o.minutes, o.clock_minutes, o.meal_minutes, o.status) then 'time.changed' end as type) c
      where c.type is not null and wants_webhook(n.program_id, c.type) order by n.student_id, n.id;
  end if;
  return null;
end $$;

-- Of a person only numbers are told, and the names of the fields that changed.
create or replace function webhook_of_person() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'person.created', 'person/' || n.id, jsonb_build_object('PersonId', n.id,
        'AccessLevel', n.access_level, 'StudentNumber', n.student_number, 'IsActive', coalesce(n.deactivated_at, n.deleted_at) is null))
      from new_rows n where n.program_id is not null and wants_webhook(n.program_id, 'person.created') order by n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'person/' || n.id, jsonb_build_object('PersonId', n.id,
        'AccessLevel', n.access_level, 'StudentNumber', n.student_number, 'IsActive', a.is_active, 'Changed', to_jsonb(f.names),
        'Before', jsonb_build_object('AccessLevel', o.access_level, 'StudentNumber', o.student_number, 'IsActive', a.was_active)))
      from new_rows n join old_rows o on o.id = n.id
      cross join lateral (select coalesce(n.deactivated_at, n.deleted_at) is null as is_active,
        coalesce(o.deactivated_at, o.deleted_at) is null as was_active) a
      cross join lateral (select array_remove(array[
        case when n.first_name is distinct from o.first_name then 'FirstName' end,
        case when n.last_name is distinct from o.last_name then 'LastName' end,
        case when n.email is distinct from o.email then 'EmailAddress' end,
        case when n.access_level is distinct from o.access_level then 'AccessLevel' end,
        case when n.student_number is distinct from o.student_number then 'StudentNumber' end,
        case when n.cohort is distinct from o.cohort then 'Cohort' end,
        case when n.student_level_id is distinct from o.student_level_id then 'StudentLevelId' end,
        case when n.area_id is distinct from o.area_id then 'AreaId' end,
        case when a.is_active <> a.was_active then 'IsActive' end], null) as names) f
      cross join lateral (select case
        when a.was_active and not a.is_active then 'person.deactivated'
        when f.names <> '{}' then 'person.changed' end as type) c
      where n.program_id is not null and c.type is not null and wants_webhook(n.program_id, c.type) order by n.id;
  end if;
  return null;
end $$;

-- Rows that reach a state by one change.
create or replace function webhook_of_state() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not wants_webhook(new.program_id, tg_argv[0]) then return null; end if;
  case tg_argv[0]
    when 'evaluation.completed' then
      -- Who evaluated whom is left out: evaluations may be anonymous.
      perform emit_webhook(new.program_id, tg_argv[0], 'evaluation/' || new.id,
        jsonb_build_object('EvaluationId', new.id, 'TemplateId', new.template_id, 'Date', new.date));
    when 'procedure.verified' then
      perform emit_webhook(new.program_id, tg_argv[0], 'procedure-log/' || new.id,
        jsonb_build_object('LogId', new.id, 'StudentId', new.student_id, 'ProcedureId', new.skill_id, 'Count', new.count, 'Date', new.date));
    when 'competency.passed' then
      perform emit_webhook(new.program_id, tg_argv[0], 'student/' || new.student_id || '/competency/' || new.skill_id,
        jsonb_build_object('AttemptId', new.id, 'StudentId', new.student_id, 'ProcedureId', new.skill_id, 'Date', new.date));
    when 'requirement.accepted' then
      perform emit_webhook(new.program_id, tg_argv[0], 'student/' || new.student_id || '/requirement/' || new.requirement_id,
        jsonb_build_object('ProofId', new.id, 'StudentId', new.student_id, 'RequirementId', new.requirement_id));
    when 'agreement.expiring' then
      perform emit_webhook(new.program_id, tg_argv[0], 'agreement/' || new.agreement_id,
        jsonb_build_object('AgreementId', new.agreement_id, 'EndDate', new.termination_date));
    when 'placement.accepted' then
      perform emit_webhook(new.program_id, tg_argv[0], 'placement-plan/' || new.plan_id,
        jsonb_build_object('PlanId', new.plan_id, 'DraftId', new.draft_id));
  end case;
  return null;
end $$;

-- An event of nothing, for one endpoint.
create or replace function emit_webhook_test(of_endpoint bigint) returns void language sql security definer set search_path = public, pg_temp as $$
  select emit_webhook(current_program(), 'practicum.test', 'test/' || of_endpoint, '{"Message": "It works."}', null, of_endpoint)
  where exists (select from webhook_endpoint where program_id = current_program() and id = of_endpoint and deleted_at is null)
$$;

create or replace function count_waiting_webhooks() returns table (waiting bigint, age double precision) language sql stable security definer set search_path = public, pg_temp as $$
  select count(*), coalesce(extract(epoch from now() - min(v.at)), 0)::float8 from webhook_delivery d
  join webhook_event v on v.program_id = d.program_id and v.id = d.event_id
  join webhook_endpoint e on e.program_id = d.program_id and e.id = d.endpoint_id and e.is_enabled and e.deleted_at is null
  where d.state = 'waiting'
$$;
