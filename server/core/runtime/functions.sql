call read_across('audit', 'program_id, account_id, action, detail, at');
grant select on failure_hour to app_across;
grant select (part, last_success_at, last_error_at) on system_check to app_across;

create or replace function tell_background_task() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'tasks:' || new.program_id || ':' || new.account_id);
  return null;
end $$;
