-- Approved hours of the account that ended which lay over approved ones of the account that stays: who had decided them, and when.
alter table account_merge add column reopened jsonb;
