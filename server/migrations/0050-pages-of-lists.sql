-- Orders and filters of the list of evaluations, so that a page is read from an index and nothing is sorted.
create index evaluation_due on evaluation (program_id, end_date, id) where deleted_at is null;
create index evaluation_due_last on evaluation (program_id, end_date desc nulls last, id desc) where deleted_at is null;
create index evaluation_completed on evaluation (program_id, is_completed, id) where deleted_at is null;
create index evaluation_site on evaluation (program_id, site_id, date desc) where deleted_at is null;
