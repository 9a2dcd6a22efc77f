-- Yesterday is kept too, so a change of it must mark it. What a change marks is exact in return, so that today's punches mark
-- nothing: the day of a shift, and of a record its own day and that of its shift.

-- Days that are kept, in the program's own time zone: those before today, and today in its last hour, so that a change that is
-- not committed at midnight is not lost.
create function is_kept_day(day date, zone text) returns boolean language sql stable
  return day < ((now() + interval '1 hour') at time zone zone)::date;

create or replace function mark_attendance() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' then
    insert into attendance_change (program_id, date)
      select distinct c.program_id, c.date from changed c join program p on p.id = c.program_id
      where is_kept_day(c.date, p.time_zone);
  elsif tg_op = 'DELETE' then
    insert into attendance_change (program_id, date)
      select distinct c.program_id, c.date from was c join program p on p.id = c.program_id
      where is_kept_day(c.date, p.time_zone);
  else
    insert into attendance_change (program_id, date)
      select c.program_id, c.date
      from (select program_id, date from changed union select program_id, date from was) c join program p on p.id = c.program_id
      where is_kept_day(c.date, p.time_zone);
  end if;
  return null;
end $$;

create function mark_attendance_of_records() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' then
    insert into attendance_change (program_id, date)
      select distinct c.program_id, d.date from changed c join program p on p.id = c.program_id
      cross join lateral (select c.date union select a.date from shift_assignment a
        where a.program_id = c.program_id and a.id = c.assignment_id) d
      where is_kept_day(d.date, p.time_zone);
  elsif tg_op = 'DELETE' then
    insert into attendance_change (program_id, date)
      select distinct c.program_id, d.date from was c join program p on p.id = c.program_id
      cross join lateral (select c.date union select a.date from shift_assignment a
        where a.program_id = c.program_id and a.id = c.assignment_id) d
      where is_kept_day(d.date, p.time_zone);
  else
    insert into attendance_change (program_id, date)
      select distinct c.program_id, d.date
      from (select program_id, date, assignment_id from changed union select program_id, date, assignment_id from was) c
      join program p on p.id = c.program_id
      cross join lateral (select c.date union select a.date from shift_assignment a
        where a.program_id = c.program_id and a.id = c.assignment_id) d
      where is_kept_day(d.date, p.time_zone);
  end if;
  return null;
end $$;

drop trigger mark_attendance_new on time_record;
drop trigger mark_attendance_changed on time_record;
drop trigger mark_attendance_gone on time_record;
create trigger mark_attendance_new after insert on time_record
  referencing new table as changed for each statement execute function mark_attendance_of_records();
create trigger mark_attendance_changed after update on time_record
  referencing old table as was new table as changed for each statement execute function mark_attendance_of_records();
create trigger mark_attendance_gone after delete on time_record
  referencing old table as was for each statement execute function mark_attendance_of_records();

-- What was kept of the last days may be wrong; the job keeps them anew.
delete from attendance_day where date >= current_date - 3;
