-- Where both accounts of a merge had a row among the graduates: which row went, and the fields of the other one before and after.
alter table account_merge add column graduate jsonb;
