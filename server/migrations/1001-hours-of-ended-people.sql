-- Hours that were written for somebody while their import was undone: nobody can be named for them, so they count no longer.
update time_record r set deleted_at = now()
  from account a
  where a.deleted_at is not null and r.program_id = a.program_id and r.student_id = a.id and r.deleted_at is null;
