-- How many punches of the last day there are, and how many of them were marked because clocks disagree: for System Status, which
-- looks at all programs.
create function count_clock_marks(out punches bigint, out marked bigint) language sql stable security definer
  set search_path to 'public' as $$
  select count(*), count(*) filter (where r.reasons @> '[{"Code": "clock_off"}]')
  from program p join time_record r on r.program_id = p.id
  where r.deleted_at is null and r.kind in ('in', 'out') and r.occurred_at > now() - interval '1 day'
$$;
