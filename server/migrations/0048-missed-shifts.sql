-- The shifts of kept days that nobody recorded: the list of missed records reads them in place of looking for the records of
-- every shift. They say something about days of attendance_day that did not change since, and of others nothing.
create table missed_shift (
  program_id bigint not null references program,
  date date not null,
  assignment_id bigint not null,
  primary key (program_id, date, assignment_id)
);
call protect_by_program('missed_shift');

-- Days are kept anew together with their missed shifts; the job begins with the latest.
delete from attendance_day;
