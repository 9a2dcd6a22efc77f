-- How many changes each account has made, counted only where a replica is read: it is asked for the same number before anything is
-- read there, so that people always see their own last change.
create table account_change (
  account_id bigint primary key,
  number bigint not null default 1
) with (fillfactor = 50);
alter table account_change enable row level security;
create policy own on account_change using (account_id = (select current_account()));
