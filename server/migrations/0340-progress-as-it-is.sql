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

drop function programs_without_progress();
