-- Hours of everybody by day and week, for the conflicts of the schedule: read from the index alone.
create index shift_assignment_hours on shift_assignment (program_id, student_id, date) include (starts_at, ends_at)
  where removed_at is null;
drop index shift_assignment_student;
