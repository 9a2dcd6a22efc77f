call read_across('webhook_endpoint', 'program_id, id, is_enabled, disabled_reason, last_success_at, last_error_at, deleted_at');
call read_across('webhook_delivery', 'program_id, endpoint_id, event_id, state');
call read_across('webhook_event', 'program_id, id, at');

-- Writes an event, and for each endpoint that wants it the row by which it is sent. Nothing without such an endpoint.
create or replace function emit_webhook(of_program bigint, event_type text, of_subject text, event_data jsonb, told_once text default null,
  to_endpoint bigint default null, told_at timestamptz default now()) returns void language plpgsql as $$
declare
  event_number bigint;
  new_event bigint;
begin
  if told_once is not null and exists (select from webhook_event where program_id = of_program and once = told_once) then return; end if;
  insert into webhook_subject as s (program_id, subject, last_number) values (of_program, of_subject, 1)
    on conflict (program_id, subject) do update set last_number = s.last_number + 1 returning last_number into event_number;
  insert into webhook_event (program_id, type, subject, number, data, once, at)
    values (of_program, event_type, of_subject, event_number, event_data, told_once, told_at)
    on conflict (program_id, once) where once is not null do nothing returning id into new_event;
  if new_event is null then return; end if;
  insert into webhook_delivery (program_id, endpoint_id, event_id, subject)
    select program_id, id, new_event, of_subject from webhook_endpoint
    where program_id = of_program and is_enabled and deleted_at is null and created_at <= told_at
      and case when to_endpoint is null then event_type = any (events) else id = to_endpoint end;
  -- One job a transaction. Without a key: jobs of one key would make transactions wait for each other.
  if current_setting('app.webhook_job', true) is distinct from pg_current_xact_id()::text then
    perform graphile_worker.add_job('webhooks:send', json_build_object('programId', of_program), max_attempts => 3);
    perform set_config('app.webhook_job', pg_current_xact_id()::text, true);
  end if;
end $$;
