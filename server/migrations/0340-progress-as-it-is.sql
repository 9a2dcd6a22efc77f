-- When the hours are done, by what, and what the assigned shifts leave open.
alter table student_progress
  add hours_on date,
  add hours_by text check (hours_by in ('approval', 'shifts', 'pace')),
  add hours_short integer not null default 0;

-- Which changes of a program are counted, those that were seen then, on which of its days, and when what is asked of its students changed last: then
-- all of them are counted anew, else those whose records have changed.
create table progress_count (
  program_id bigint primary key references program,
  counted_on date,
  counted_in pg_snapshot,
  goals_at xid8 not null default '0'
);
call protect_by_program('progress_count');

-- Without any program chosen, so the job asks by a function. Numbers of transactions begin anew in a restored copy.
drop function programs_without_progress();
create function programs_to_count() returns table (program_id bigint, time_zone text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select p.id, p.time_zone from program p
  left join progress_count k on k.program_id = p.id
  where p.deleted_at is null
    and exists (select from account u where u.program_id = p.id and u.access_level = 39 and u.deactivated_at is null and u.deleted_at is null)
    and (k.counted_on is distinct from (now() at time zone p.time_zone)::date
      or pg_snapshot_xmax(k.counted_in) > pg_snapshot_xmax(pg_current_snapshot())
      or not pg_visible_in_snapshot(k.goals_at, k.counted_in)
      or exists (select from change c where c.program_id = p.id and c.transaction >= pg_snapshot_xmin(k.counted_in)
        and not pg_visible_in_snapshot(c.transaction, k.counted_in)))
$$;
