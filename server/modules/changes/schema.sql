-- What changes of the records that others follow: one row a change, written by `append_event` in the transaction that makes it. Who hears
-- it is listed in server/subscribers.ts; the change feed of the API reads it as it is (docs/decisions/domain-events.md). A transaction's
-- number is given at its first change and may be lower than that of one that commits before it, so only numbers are read below which
-- nothing runs any longer: a reader that has come to one has seen all before it.
create table domain_event (
  program_id bigint not null references program,
  id bigint generated always as identity,
  transaction xid8 not null default pg_current_xact_id(),
  kind text not null,
  -- Of a requirement: the requirement. With the student it names what changed.
  record_id bigint not null,
  student_id bigint not null default 0,
  is_deleted boolean not null default false,
  -- What is told of the record, before and after: null where it was not there.
  before jsonb,
  after jsonb,
  actor_id bigint,
  -- Written by whoever runs the installation: no news to anybody.
  is_quiet boolean not null,
  at timestamptz not null default now(),
  primary key (program_id, transaction, kind, record_id, student_id, id)
);
create index domain_event_order on domain_event (transaction, id);
create index domain_event_age on domain_event using brin (at);
call protect_by_program('domain_event');
revoke insert, update, delete on domain_event from app;

-- How far a subscriber has heard: all of the transactions before this one.
create table event_cursor (
  subscriber text primary key,
  transaction xid8 not null
);
revoke update, delete on event_cursor from app;

-- What is kept of a program as of a moment has everything in it that could be seen then; events since make parts of it wrong.
create table event_seen (
  program_id bigint not null references program,
  reader text not null,
  seen pg_snapshot not null,
  seen_at timestamptz not null,
  primary key (program_id, reader)
);
call protect_by_program('event_seen');

-- Up to where changes are forgotten.
create table change_horizon (
  program_id bigint primary key references program,
  transaction xid8 not null
);
call protect_by_program('change_horizon');
revoke insert, update, delete on change_horizon from app;

-- Numbers of transactions mean something in one installation alone: in a restored copy they begin anew.
create table change_epoch (
  is_only boolean default true primary key check (is_only),
  epoch uuid not null default gen_random_uuid()
);
revoke insert, update, delete on change_epoch from app;

insert into change_epoch default values;
