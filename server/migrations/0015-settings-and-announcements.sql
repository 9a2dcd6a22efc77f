-- The licence agreement and who accepted it, who may reach the product from which addresses, announcements with their readers.

-- Every saved text is a version; the last one is the current. An empty one asks nobody for anything.
create table eula (
  id bigint generated always as identity primary key,
  html text not null,
  -- Beside the text, so that no look-up of a session has to fetch it.
  is_asked boolean generated always as (html <> '') stored,
  created_at timestamptz not null default now(),
  created_by bigint
);
create table eula_acceptance (
  eula_id bigint not null references eula,
  account_id bigint not null references account,
  accepted_at timestamptz not null default now(),
  address inet,
  primary key (eula_id, account_id)
);

-- Whether the account has still to accept the current text. Asked with every session.
create function needs_eula(of_account bigint) returns boolean language sql stable as $$
  select exists (
    select from (select id, is_asked from eula order by id desc limit 1) e
    where e.is_asked and not exists (
      select from eula_acceptance x where x.eula_id = e.id and x.account_id = of_account))
$$;
-- How many of the active accounts there are have accepted a version. Counts only, across all programs.
create function eula_counts(of_version bigint) returns table (accepted bigint, people bigint)
  language sql stable security definer set search_path = public as $$
  select count(x.account_id), count(*)
  from account a
  left join program p on p.id = a.program_id
  left join eula_acceptance x on x.eula_id = of_version and x.account_id = a.id
  where a.deleted_at is null and a.deactivated_at is null and (a.program_id is null or p.deleted_at is null)
$$;

-- Who may reach the product: one row, and the addresses that always may.
create table ip_access (
  is_only boolean primary key default true check (is_only),
  -- 0 off, 1 on, 2 warn (specification 2 §4)
  mode smallint not null default 0 check (mode between 0 and 2),
  countries text[] not null default '{US}',
  geo_file_id bigint references stored_file,
  -- What the file says about itself: its kind and when it was made.
  geo_kind text not null default '',
  geo_built_at timestamptz,
  -- Counts the changes, of the list of addresses too: by it processes know that they have to read again.
  version bigint not null default 1,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
insert into ip_access default values;
create table ip_whitelist (
  network cidr primary key,
  created_at timestamptz not null default now(),
  created_by bigint
);
create function count_ip_change() returns trigger language plpgsql as $$
begin
  update ip_access set version = version + 1;
  return null;
end $$;
create trigger count_change after insert or delete on ip_whitelist
  for each statement execute function count_ip_change();

-- All that a process needs to judge an address, before anybody is signed in; the addresses only when they changed.
create function read_ip_access(known bigint) returns table (
  version bigint, mode smallint, countries text[], store_key text, networks text[]
) language sql stable security definer set search_path = public as $$
  select i.version, i.mode, i.countries, f.store_key,
    case when i.version is distinct from known
      then coalesce((select array_agg(w.network::text) from ip_whitelist w), '{}') end
  from ip_access i left join stored_file f on f.id = i.geo_file_id
$$;

-- Addresses that were warned or refused lately: what a super admin looks at before switching from Warn to ON.
create table ip_notice (
  address inet primary key,
  country text,
  is_refused boolean not null,
  hits bigint not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now()
);
create index ip_notice_last on ip_notice (last_at desc);

-- Home page announcements (specification 2 §2.11, product 3.9).
alter table announcement
  add hides_acknowledged boolean not null default false,
  add shows_all boolean not null default true,
  add deleted_at timestamptz,
  add updated_at timestamptz not null default now(),
  add updated_by bigint,
  add check (category in
    ('All', 'Students', 'Registrants', 'Alumni', 'Faculty', 'Supervisors', 'Site employees', 'Staff'));
create index announcement_shown on announcement (program_id, id desc) where is_active and deleted_at is null;
create trigger touch before update on announcement for each row execute function touch();

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (911, 9, 'settings', '/new/admin/announcements', 70, 'Home Page Announcements', true, 1),
  (912, 9, 'settings', '/new/admin/eula', 80, 'Edit EULA', true, 1),
  (913, 9, 'settings', '/new/admin/geo-ip', 90, 'IP Access Management', true, 1),
  (914, 9, 'settings', '/new/admin/global-settings', 100, 'Global Settings', true, 1);
