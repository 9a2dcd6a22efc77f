-- Accounts that were deleted: lists of what belongs to students leave out the few, in place of looking up the many.
create index account_deleted on account (program_id, id) where deleted_at is not null;
-- Alumni are counted as students are.
create index account_alumni on account (program_id, id) where access_level = 29 and deleted_at is null;
