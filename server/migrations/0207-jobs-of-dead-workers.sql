-- When each worker last said that it is alive: the jobs of one that no longer does are given to others.
create table worker_beat (
  worker_id text primary key,
  beat_at timestamptz not null default now()
);

-- A task says twice a second that it is alive.
create or replace function find_lost_tasks() returns table (program_id bigint, id bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select t.program_id, t.id from background_task t
  where (t.state = 'running' and t.beat_at < now() - interval '20 seconds')
    or (t.state = 'queued' and t.beat_at < now() - interval '10 minutes')
$$;
