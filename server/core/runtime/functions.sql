call read_across('audit', 'program_id, account_id, action, detail, at');
grant select on failure_hour to app_across;
grant select (part, last_success_at, last_error_at, figures) on system_check to app_across;

-- Tells open pages that something of this kind changed: for one person, or for all of a program.
create or replace function tell() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', tg_argv[0] || ':' || new.program_id || ':' || coalesce(to_jsonb(new) ->> 'account_id', '0'));
  return null;
end $$;
