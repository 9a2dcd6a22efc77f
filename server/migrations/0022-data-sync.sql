-- Data sync: keys by which other systems send people, sites and verifications, and one row for each run (specification 2 §2.15).

create table sync_key (
  program_id bigint not null references program,
  id bigint generated always as identity,
  -- Which system sends with it.
  name text not null check (name <> '' and length(name) <= 100),
  -- The key itself is shown once and kept nowhere.
  key_hash bytea not null unique,
  -- Its last signs, by which people tell keys apart.
  ending text not null,
  -- It may what this person may.
  account_id bigint not null references account (id),
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (program_id, id)
);
create unique index sync_key_name on sync_key (program_id, lower(name)) where revoked_at is null;
call protect_by_program('sync_key');

-- Whose key it is, asked before a program is known. A key ends with the account that it stands for, and with its program.
create function find_sync_key(hash bytea) returns table (
  id bigint, name text, program_id bigint, account_id bigint, access_level smallint, super_admin_areas integer
) language sql stable security definer set search_path = public as $$
  select k.id, k.name, k.program_id, a.id, a.access_level, a.super_admin_areas
  from sync_key k
  join account a on a.id = k.account_id and a.deleted_at is null and a.deactivated_at is null
    and (a.program_id = k.program_id or a.access_level = 100)
  join program p on p.id = k.program_id and p.deleted_at is null
  where k.key_hash = hash and k.revoked_at is null
$$;

create table sync_log (
  program_id bigint not null references program,
  id bigint generated always as identity,
  -- 1 students, 2 staff, 3 sites, 4 verifications.
  module_id smallint not null check (module_id between 1 and 4),
  -- Whose rights the run had.
  account_id bigint,
  event jsonb not null,
  created_at timestamptz not null default now(),
  primary key (program_id, id)
);
create index sync_log_newest on sync_log (program_id, created_at desc, id desc);
create index sync_log_module on sync_log (program_id, module_id, created_at desc, id desc);
-- Super admins look through the runs of all programs.
create index sync_log_all on sync_log (created_at desc, id desc);
alter table sync_log enable row level security;
create policy program on sync_log using (
  program_id = (select current_program()) or (select current_setting('app.super', true)) = 'on');

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (921, 9, 'settings', '/new/admin/logs/data-sync', 140, 'DataSync Logs', true, 1);
