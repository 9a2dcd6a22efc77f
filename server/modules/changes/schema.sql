-- What changed in a program, for whoever keeps a copy of it: one row for a record and a transaction, told in the order of transactions. A
-- transaction's number is given at its first change and may be lower than that of one which commits before it, so only numbers
-- are read below which nothing runs any longer: a reader that has come to one has seen all before it.
create table change (
  program_id bigint not null references program,
  transaction xid8 not null default pg_current_xact_id(),
  kind text not null,
  -- Of a requirement: the requirement. With the student it names what changed.
  record_id bigint not null,
  student_id bigint not null default 0,
  is_deleted boolean not null,
  at timestamptz not null default now(),
  primary key (program_id, transaction, kind, record_id, student_id)
);
create index change_age on change (at);
call protect_by_program('change');
revoke insert, update, delete on change from app;

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
