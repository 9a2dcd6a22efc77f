-- The audit in a chain of seals: each names the rows since the last one by a digest, and the one before, under a key that is not in
-- the database. Only the owner's job writes here; the serving role sees nothing of it.

create table audit_seal (
  id bigint primary key,
  from_id bigint not null,
  to_id bigint not null,
  row_count bigint not null,
  previous bytea not null,
  head bytea not null,
  sealed_at timestamptz not null default now()
);

-- By program and day, so that what retention deletes leaves the rest provable.
create table audit_seal_part (
  id bigint generated always as identity primary key,
  seal_id bigint not null references audit_seal,
  program_id bigint,
  day date not null,
  row_count bigint not null,
  digest bytea not null
);
create unique index audit_seal_part_of on audit_seal_part (seal_id, program_id, day) nulls not distinct;

-- Up to which number rows were there, and the transaction that came next: once all before it are over, no row below can appear.
create table audit_horizon (
  is_only boolean primary key default true check (is_only),
  last_id bigint not null,
  next_transaction xid8 not null,
  cluster text not null,
  noted_at timestamptz not null default now()
);
revoke all on audit_seal, audit_seal_part, audit_horizon from app;

-- Who did something, the newest first, for the page.
create index audit_account on audit (program_id, account_id, at desc, id desc) where account_id is not null;
