-- The audit and the ledger of emails in partitions by month, so that old months can be dropped (retention).
--
-- Partitions are in a schema of their own, in which the serving role may do nothing: it works through the table, whose rights
-- and policies count. What there is stays where it is and becomes the first partition, so that no row is written again. The last
-- one has no end: no row is ever refused because nobody made the next month.
create schema partition;

create function pg_temp.partition_by_month(name text, moment text) returns void language plpgsql as $$
declare
  next_month timestamptz := date_trunc('month', now() at time zone 'UTC' + interval '1 month') at time zone 'UTC';
begin
  execute format('alter table %I alter column id drop identity', name);
  execute format('alter table %I set schema partition', name);
  execute format('alter table partition.%I rename to %I', name, name || '_history');
  -- A row may be dated ahead: by a test, or by a clock that was wrong.
  execute format('select greatest($1, date_trunc(''month'', max(%I) at time zone ''UTC'' + interval ''1 month'') at time zone ''UTC'')
    from partition.%I', moment, name || '_history') into next_month using next_month;
  execute format('alter table partition.%I drop constraint %I, add primary key (id, %I)', name || '_history', name || '_pkey', moment);
  execute format('create table %I (like partition.%I including defaults including constraints, primary key (id, %I))
    partition by range (%3$I)', name, name || '_history', moment);
  execute format('alter table %I alter column id add generated always as identity', name);
  execute format('select setval(pg_get_serial_sequence(%L, ''id''), coalesce(max(id), 0) + 1, false) from partition.%I',
    name, name || '_history');
  execute format('create table partition.%I partition of %I for values from (%L) to (maxvalue)', name || '_ahead', name, next_month);
  execute format('alter table partition.%I enable row level security', name || '_ahead');
  execute format('alter table %I attach partition partition.%I for values from (minvalue) to (%L)', name, name || '_history', next_month);
  execute format('revoke all on partition.%I from app', name || '_history');
end $$;

-- Found by their names in every partition that there is and will be.
select pg_temp.partition_by_month('audit', 'at');
create index audit_program on audit (program_id, at desc, id desc);
create index audit_subject on audit (program_id, subject_id, at desc) where subject_id is not null;
create index audit_changes on audit (program_id, subject_id, at desc, id desc)
  where subject_id is not null and action not like 'GET %';
create index audit_refused_by_college on audit (at)
  where action = 'sign-in refused' and detail ->> 'How' = 'college';
alter table audit enable row level security;
create policy add on audit for insert with check (true);
create policy read on audit for select using (
  program_id = any ((select allowed_programs())::bigint[]) or account_id = (select current_account())
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
revoke update, delete, truncate on audit from app;

select pg_temp.partition_by_month('mail', 'created_at');
alter table mail add foreign key (program_id) references program;
create index mail_program on mail (program_id, created_at desc, id desc);
create index mail_due on mail (send_after, id) where status in (1, 2);
create index mail_created on mail (created_at desc, id desc);
create index mail_open on mail (status, created_at desc, id desc) where status <> 3;
create index mail_program_open on mail (program_id, status, created_at desc, id desc) where status <> 3;
create index mail_created_by on mail (created_by, created_at desc, id desc) where created_by is not null;
create index mail_account on mail (program_id, account_id, created_at desc, id desc) where account_id is not null;
create index mail_bounced on mail (bounced_at) where bounced_at is not null;
create index mail_failed on mail (created_at) where status = 4 and blocked_at is null and cancelled_at is null;
alter table mail enable row level security;
create policy program on mail using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on')
  or (select current_setting('app.mailer', true)) = 'on');
create policy add on mail for insert with check (true);

-- How long rows are kept, in months; of a program, or of all that have no policy of their own. Without one nothing goes.
create table retention_policy (
  kind text not null check (kind in ('audit', 'mail')),
  program_id bigint references program,
  months integer not null check (months between 1 and 1200)
);
create unique index retention_policy_of on retention_policy (kind, coalesce(program_id, 0));
revoke all on retention_policy from app;

-- Months that were written to a file and dropped. The hash of the lines is the head that is left of them.
create table archived_partition (
  kind text not null,
  name text not null,
  from_moment timestamptz,
  to_moment timestamptz not null,
  row_count bigint not null,
  last_id bigint,
  sha256 text not null,
  file_key text not null,
  archived_at timestamptz not null default now(),
  primary key (kind, name)
);
revoke all on archived_partition from app;
