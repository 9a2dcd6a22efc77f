create table setting (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Errors of the server and of jobs, as every process tells them: added up by hour, whatever restarts.
create table failure_hour (
  kind text not null check (kind in ('server', 'job', 'browser')),
  name text not null,
  hour timestamptz not null,
  number integer not null,
  primary key (kind, hour, name)
);

-- Files and imports that take longer than anybody should wait: the worker does them, and the row says how far it is.
create table background_task (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null references account,
  kind text not null check (kind in ('file', 'import', 'undo')),
  -- The call that asked for it, its input as it came, and where from: the worker checks and runs the same again.
  action text not null,
  input jsonb not null,
  address text not null,
  -- The file that is made or imported, and the page where an import is gone on with.
  name text not null,
  page text not null default '',
  -- Whoever waits for it on the page is not told by the bell.
  is_awaited boolean not null default false,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'canceled')),
  done integer not null default 0,
  total integer,
  attempts smallint not null default 0,
  upload_key text,
  result_key text,
  result_type text not null default '',
  byte_count bigint,
  error text not null default '',
  created_at timestamptz not null default now(),
  -- The last sign of the process that works on it.
  beat_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz,
  -- What a key asked for is prepared with the rights of that key.
  key_id bigint,
  primary key (program_id, id)
);
create index background_task_account on background_task (program_id, account_id, id desc);
create index background_task_open on background_task (beat_at) where state in ('queued', 'running');
create index background_task_expiry on background_task (expires_at);
create index background_task_key on background_task (key_id) where key_id is not null;
create trigger tell after insert or update of state, done, total on background_task for each row execute function tell('tasks');
call protect_by_program('background_task');

-- Who did or saw what, on whose record, when and from where. The role "app" may add and read, nothing else.
create table audit (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  program_id bigint,
  account_id bigint,
  action text not null,
  subject_id bigint,
  detail jsonb,
  address inet,
  primary key (id, at)
) partition by range (at);
create index audit_program on audit (program_id, at desc, id desc);
create index audit_subject on audit (program_id, subject_id, at desc) where subject_id is not null;
create index audit_changes on audit (program_id, subject_id, at desc, id desc)
  where subject_id is not null and action not like 'GET %';
create index audit_refused_by_college on audit (at)
  where action = 'sign-in refused' and detail ->> 'How' = 'college';
-- Who did something, the newest first, for the page.
create index audit_account on audit (program_id, account_id, at desc, id desc) where account_id is not null;
alter table audit enable row level security;
create policy add on audit for insert with check (true);
create policy read on audit for select using (
  program_id = any ((select allowed_programs())::bigint[]) or account_id = (select current_account())
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
revoke update, delete on audit from app;

-- Everything until the end of this month, and what comes after; a job makes the months of it.
do $$
declare
  month timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
begin
  execute format('create table partition.audit_history partition of audit for values from (minvalue) to (%L)', month);
  execute format('create table partition.audit_ahead partition of audit for values from (%L) to (maxvalue)', month);
  alter table partition.audit_history enable row level security;
  alter table partition.audit_ahead enable row level security;
end $$;

create table audit_seal (
  id bigint primary key,
  from_id bigint not null,
  to_id bigint not null,
  row_count bigint not null,
  previous bytea not null,
  head bytea not null,
  sealed_at timestamptz not null default now()
);
revoke all on audit_seal from app;

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
revoke all on audit_seal_part from app;

-- Up to which number rows were there, and the transaction that came next: once all before it are over, no row below can appear.
create table audit_horizon (
  is_only boolean default true primary key check (is_only),
  last_id bigint not null,
  next_transaction xid8 not null,
  cluster text not null,
  noted_at timestamptz not null default now()
);
revoke all on audit_horizon from app;

create table system_check (
  part text primary key check (length(part) <= 40),
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default '',
  -- What the last check measured, such as the days that the certificate lasts.
  figures jsonb not null default '{}'
);

-- When each worker last said that it is alive: the jobs of one that no longer does are given to others.
create table worker_beat (
  worker_id text primary key,
  beat_at timestamptz not null default now()
);

alter table background_task add foreign key (key_id) references api_key;
