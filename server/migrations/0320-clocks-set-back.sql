-- A task says twice a second that it is alive; what it said before the clock was set back lies ahead, and says nothing.
create or replace function find_lost_tasks() returns table (program_id bigint, id bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select t.program_id, t.id from background_task t
  where (t.state = 'running' and t.beat_at not between now() - interval '20 seconds' and now() + interval '20 seconds')
    or (t.state = 'queued' and t.beat_at not between now() - interval '10 minutes' and now() + interval '10 minutes')
$$;
