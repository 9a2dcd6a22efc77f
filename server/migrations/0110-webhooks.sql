-- Webhooks: what happens in a program is told to other systems, as Standard Webhooks says. Events are written in the transaction that
-- causes them, one row for each endpoint that wants them, and sent by the worker.

create table webhook_endpoint (
  program_id bigint not null references program,
  id bigint generated always as identity,
  url text not null check (length(url) <= 2000),
  description text not null default '' check (length(description) <= 200),
  events text[] not null,
  -- Sealed; after a rotation both sign until the moment.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  is_enabled boolean not null default true,
  -- Why it was switched off by the product itself.
  disabled_reason text not null default '',
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default '',
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  deleted_at timestamptz,
  primary key (program_id, id)
);
call protect_by_program('webhook_endpoint');
create trigger touch before update on webhook_endpoint for each row execute function touch();

-- The number of a subject's last event. Its row is locked until the transaction ends, so numbers are in the order of commits.
create table webhook_subject (
  program_id bigint not null references program,
  subject text not null,
  last_number bigint not null,
  primary key (program_id, subject)
);
call protect_by_program('webhook_subject');

create table webhook_event (
  program_id bigint not null references program,
  id bigint generated always as identity,
  type text not null,
  subject text not null,
  number bigint not null,
  data jsonb not null,
  -- What happens by the calendar is told once under this name.
  once text,
  at timestamptz not null default now(),
  primary key (program_id, id)
);
create unique index webhook_event_once on webhook_event (program_id, once) where once is not null;
create index webhook_event_age on webhook_event (program_id, at);
call protect_by_program('webhook_event');

create table webhook_delivery (
  program_id bigint not null references program,
  endpoint_id bigint not null,
  event_id bigint not null,
  subject text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  -- A process that sends it has it until then; one that died gives it back by the time.
  claimed_until timestamptz,
  claim uuid,
  tried_at timestamptz,
  status integer,
  answer text not null default '',
  error text not null default '',
  milliseconds integer,
  primary key (program_id, endpoint_id, event_id),
  foreign key (program_id, endpoint_id) references webhook_endpoint,
  foreign key (program_id, event_id) references webhook_event on delete cascade
);
create index webhook_delivery_waiting on webhook_delivery (program_id, endpoint_id, subject, event_id) where state = 'waiting';
create index webhook_delivery_event on webhook_delivery (program_id, event_id);
create index webhook_delivery_due on webhook_delivery (next_at) where state = 'waiting';
call protect_by_program('webhook_delivery');

-- Writes an event, and for each endpoint that wants it the row by which it is sent. Nothing without such an endpoint.
create function emit_webhook(of_program bigint, event_type text, of_subject text, event_data jsonb, told_once text default null,
  to_endpoint bigint default null) returns void language plpgsql security definer set search_path = public as $$
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
revoke all on function emit_webhook from public;

create function wants_webhook(of_program bigint, event_type text) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select from webhook_endpoint e where e.program_id = of_program and e.is_enabled and e.deleted_at is null
    and event_type = any (e.events))
$$;

-- The tables whose changes are told. A statement asks once whether any program has an endpoint at all; without one it costs that.
create function webhook_of_assignment() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'assignment.created', 'assignment/' || n.id, jsonb_build_object('AssignmentId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'ShiftId', n.site_shift_id, 'Date', n.date))
      from new_rows n where wants_webhook(n.program_id, 'assignment.created') order by n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'assignment/' || n.id, jsonb_build_object('AssignmentId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'ShiftId', n.site_shift_id, 'Date', n.date))
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
create trigger webhook_added after insert on shift_assignment referencing new table as new_rows
  for each statement execute function webhook_of_assignment();
create trigger webhook_changed after update on shift_assignment referencing old table as old_rows new table as new_rows
  for each statement execute function webhook_of_assignment();

create function webhook_of_time_record() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'time.punched', 'student/' || n.student_id || '/time', jsonb_build_object('RecordId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'Kind', n.kind, 'OccurredAt', n.occurred_at))
      from new_rows n where n.kind in ('in', 'out') and wants_webhook(n.program_id, 'time.punched') order by n.student_id, n.id;
  else
    perform emit_webhook(n.program_id, 'time.' || n.status, 'student/' || n.student_id || '/time', jsonb_build_object('RecordId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'Kind', n.kind, 'OccurredAt', n.occurred_at, 'Minutes', n.minutes))
      from new_rows n join old_rows o on o.program_id = n.program_id and o.id = n.id
      where n.status <> o.status and n.status in ('approved', 'rejected') and wants_webhook(n.program_id, 'time.' || n.status)
      order by n.student_id, n.id;
  end if;
  return null;
end $$;
create trigger webhook_added after insert on time_record referencing new table as new_rows
  for each statement execute function webhook_of_time_record();
create trigger webhook_changed after update on time_record referencing old table as old_rows new table as new_rows
  for each statement execute function webhook_of_time_record();

create function webhook_of_person() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'person.created', 'person/' || n.id,
        jsonb_build_object('PersonId', n.id, 'AccessLevel', n.access_level, 'StudentNumber', n.student_number))
      from new_rows n where n.program_id is not null and wants_webhook(n.program_id, 'person.created') order by n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'person/' || n.id,
        jsonb_build_object('PersonId', n.id, 'AccessLevel', n.access_level, 'StudentNumber', n.student_number))
      from new_rows n join old_rows o on o.id = n.id
      cross join lateral (select case
        when coalesce(n.deactivated_at, n.deleted_at) is not null and coalesce(o.deactivated_at, o.deleted_at) is null then 'person.deactivated'
        when (n.first_name, n.last_name, n.email, n.access_level, n.student_number, n.cohort, n.student_level_id, n.area_id,
            coalesce(n.deactivated_at, n.deleted_at) is null)
          is distinct from (o.first_name, o.last_name, o.email, o.access_level, o.student_number, o.cohort, o.student_level_id, o.area_id,
            coalesce(o.deactivated_at, o.deleted_at) is null) then 'person.changed' end as type) c
      where n.program_id is not null and c.type is not null and wants_webhook(n.program_id, c.type) order by n.id;
  end if;
  return null;
end $$;
create trigger webhook_added after insert on account referencing new table as new_rows
  for each statement execute function webhook_of_person();
create trigger webhook_changed after update on account referencing old table as old_rows new table as new_rows
  for each statement execute function webhook_of_person();

-- Rows that reach a state by one change.
create function webhook_of_state() returns trigger language plpgsql security definer set search_path = public as $$
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
create trigger webhook_completed after update on evaluation for each row
  when (new.is_completed and not old.is_completed) execute function webhook_of_state('evaluation.completed');
create trigger webhook_verified after update on procedure_log for each row
  when (new.state = 'verified' and old.state <> 'verified') execute function webhook_of_state('procedure.verified');
create trigger webhook_passed after update on exam_attempt for each row
  when (new.state = 'passed' and old.state <> 'passed') execute function webhook_of_state('competency.passed');
create trigger webhook_accepted after update on requirement_proof for each row
  when (new.state = 'accepted' and old.state <> 'accepted') execute function webhook_of_state('requirement.accepted');
create trigger webhook_accepted_at_once after insert on requirement_proof for each row
  when (new.state = 'accepted') execute function webhook_of_state('requirement.accepted');
create trigger webhook_expiring after insert or update on agreement_reminder for each row execute function webhook_of_state('agreement.expiring');
create trigger webhook_accepted after insert on placement_acceptance for each row execute function webhook_of_state('placement.accepted');

-- What expires by the calendar, on the program's own day, each once.
create function emit_expired_requirements() returns void language sql security definer set search_path = public as $$
  select emit_webhook(s.program_id, 'requirement.expired', 'student/' || s.student_id || '/requirement/' || s.requirement_id,
      jsonb_build_object('StudentId', s.student_id, 'RequirementId', s.requirement_id, 'ExpireDate', s.expires_on),
      format('expired %s %s %s', s.student_id, s.requirement_id, s.expires_on))
  from program p
  join student_requirement s on s.program_id = p.id and s.site_id = 0
    and s.expires_on between (now() at time zone p.time_zone)::date - 3 and (now() at time zone p.time_zone)::date - 1
  join account a on a.program_id = s.program_id and a.id = s.student_id and a.deactivated_at is null and a.deleted_at is null
  where p.deleted_at is null and wants_webhook(p.id, 'requirement.expired')
  order by s.student_id, s.requirement_id
$$;

-- An event of nothing, for one endpoint.
create function emit_webhook_test(of_endpoint bigint) returns void language sql security definer set search_path = public as $$
  select emit_webhook(current_program(), 'practicum.test', 'test/' || of_endpoint, '{"Message": "It works."}', null, of_endpoint)
  where exists (select from webhook_endpoint where program_id = current_program() and id = of_endpoint and deleted_at is null)
$$;

-- Which programs have something to send, for the worker, which works on one program at a time.
create function programs_with_webhooks() returns table (program_id bigint) language sql stable security definer set search_path = public as $$
  select distinct d.program_id from webhook_delivery d
  join webhook_endpoint e on e.program_id = d.program_id and e.id = d.endpoint_id and e.is_enabled and e.deleted_at is null
  where d.state = 'waiting' and d.next_at <= now()
$$;

create function count_waiting_webhooks() returns table (waiting bigint, age double precision) language sql stable security definer set search_path = public as $$
  select count(*), coalesce(extract(epoch from now() - min(v.at)), 0)::float8 from webhook_delivery d
  join webhook_event v on v.program_id = d.program_id and v.id = d.event_id
  join webhook_endpoint e on e.program_id = d.program_id and e.id = d.endpoint_id and e.is_enabled and e.deleted_at is null
  where d.state = 'waiting'
$$;

-- What was told 30 days ago is forgotten, unless it still waits.
create function tidy_webhooks() returns void language sql security definer set search_path = public as $$
  delete from webhook_event v where v.at < now() - interval '30 days'
    and not exists (select from webhook_delivery d where d.program_id = v.program_id and d.event_id = v.id and d.state = 'waiting')
$$;

call add_mail_template('WEBHOOK_disabled',
  '<p><strong>Webhook switched off.</strong> Tells the administrators of a program that an endpoint did not take its events for three days.</p>',
  'A webhook was switched off: {{webhook.host}}',
  '<p>Hello {{admin.firstName}},</p><p>The webhook to {{webhook.host}} was switched off: {{webhook.reason}}</p><p>Events that happen while it is off are not kept. What waits for it is sent once it is on again.</p><p><a href="{{link}}">See the deliveries</a></p>');
