-- What somebody verified within a day, for taking it back.
create index procedure_log_decided on procedure_log (program_id, decided_by, decided_at) where state = 'verified' and deleted_at is null;
