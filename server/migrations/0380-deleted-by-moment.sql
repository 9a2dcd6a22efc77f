-- What was deleted, newest first, where there is much of it.
create index time_record_deleted on time_record (program_id, deleted_at) where deleted_at is not null;
create index evaluation_deleted on evaluation (program_id, deleted_at) where deleted_at is not null;
create index procedure_log_deleted on procedure_log (program_id, deleted_at) where deleted_at is not null;
create index lab_check_deleted on lab_check (program_id, deleted_at) where deleted_at is not null;
