-- The hours that wait at a supervisor's sites: a few dozen of thousands that were ever recorded there.
create index time_record_pending_site on time_record (program_id, site_id) where deleted_at is null and status = 'pending';
