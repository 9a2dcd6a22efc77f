-- Files and imports that take longer than anybody should wait: the worker does them, and the row says how far it is.
create table background_task (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null references account,
  kind text not null check (kind in ('file', 'import')),
  -- The call that asked for it, its input as it came, and where from: the worker checks and runs the same again.
  action text not null,
  input jsonb not null,
  address text not null,
  -- The file that is made or imported, and the page where an import is gone on with.
  name text not null,
  page text not null default '',
  -- Whoever waits for it on the page is not told by the bell.
  is_awaited boolean not null default false,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'canceled')),
  done integer not null default 0,
  total integer,
  attempts smallint not null default 0,
  upload_key text,
  result_key text,
  result_type text not null default '',
  byte_count bigint,
  error text not null default '',
  created_at timestamptz not null default now(),
  -- The last sign of the process that works on it.
  beat_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz,
  primary key (program_id, id)
);
create index background_task_account on background_task (program_id, account_id, id desc);
create index background_task_open on background_task (beat_at) where state in ('queued', 'running');
create index background_task_expiry on background_task (expires_at);
call protect_by_program('background_task');

create function tell_background_task() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'tasks:' || new.program_id || ':' || new.account_id);
  return null;
end $$;
create trigger tell_added after insert on background_task for each row execute function tell_background_task();
create trigger tell_changed after update on background_task for each row
  when (old.state <> new.state or old.done <> new.done or old.total is distinct from new.total)
  execute function tell_background_task();

-- The worker looks after the tasks of all programs: those whose process died, and those whose day is over.
create function find_lost_tasks() returns table (program_id bigint, id bigint)
  language sql stable security definer set search_path = public as $$
  select t.program_id, t.id from background_task t
  where (t.state = 'running' and t.beat_at < now() - interval '1 minute')
    or (t.state = 'queued' and t.beat_at < now() - interval '10 minutes')
$$;
create function find_expired_tasks() returns table (program_id bigint, id bigint)
  language sql stable security definer set search_path = public as $$
  select t.program_id, t.id from background_task t where t.expires_at < now() order by t.expires_at limit 1000
$$;

-- An active person as a session would show her, for work that goes on after she has left.
create function find_person(of_account bigint) returns table (
  account_id bigint, program_id bigint, user_name text, access_level smallint, super_admin_areas integer,
  is_demo boolean, email text, is_email_confirmed boolean, first_name text, last_name text,
  program_name text, college_name text, time_zone text
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, a.access_level, a.super_admin_areas, a.is_demo, a.email,
    a.is_email_confirmed, a.first_name, a.last_name, p.name, c.name, coalesce(p.time_zone, 'America/New_York')
  from account a
  left join program p on p.id = a.program_id
  left join college c on c.id = p.college_id
  where a.id = of_account and a.deleted_at is null and a.deactivated_at is null
    and (a.program_id is null or p.deleted_at is null)
$$;
