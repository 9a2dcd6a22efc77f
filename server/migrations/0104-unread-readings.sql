-- Readings that their students have not read yet are few, among the many of years.
create index dose_reading_unread on dose_reading (program_id, through_date desc, id desc)
  where acknowledged_at is null and deleted_at is null;
