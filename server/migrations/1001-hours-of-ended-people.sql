-- Hours added for someone while their import was being undone: their account is gone, so the hours no longer count.
update time_record r set deleted_at = now()
  from account a
  where a.deleted_at is not null and r.program_id = a.program_id and r.student_id = a.id and r.deleted_at is null;
