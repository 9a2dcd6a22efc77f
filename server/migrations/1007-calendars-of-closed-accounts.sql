-- Calendar addresses end for good with the access: those of accounts that are closed already would come back with it.
delete from calendar_feed f using account a
where a.id = f.account_id and (a.deactivated_at is not null or a.deleted_at is not null);
