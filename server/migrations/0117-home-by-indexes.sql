-- The home page counts over everybody of a program: these indexes answer without the rows of the tables.
create index account_students on account (program_id, id)
  where access_level = 39 and deactivated_at is null and deleted_at is null;

drop index evaluation_status;
create index evaluation_status on evaluation (program_id, is_completed, end_date, id) include (stopped_at) where deleted_at is null;
