create table site (
  program_id bigint not null references program,
  id bigint generated always as identity,
  area_id bigint,
  name text collate alphabetical not null check (name <> ''),
  contract_name text collate alphabetical not null default '',
  code text collate alphabetical not null default '',
  type text not null default '',
  address text not null default '',
  city text collate alphabetical not null default '',
  state text not null default '',
  zip text not null default '',
  phone text not null default '',
  website text not null default '',
  county text collate alphabetical not null default '',
  beds integer check (beds >= 0),
  capacity integer check (capacity >= 0),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  precision_m integer not null default 150 check (precision_m between 10 and 100000),
  time_zone text not null default 'America/New_York',
  is_dst boolean not null default true,
  allow_overnight boolean not null default true,
  allow_multiclock boolean not null default false,
  reject_inaccurate_pins boolean not null default false,
  reject_accuracy_m integer not null default 200 check (reject_accuracy_m between 1 and 100000),
  lab boolean not null default false,
  forbid_cs_logclock_editing boolean not null default false,
  reminders boolean not null default true,
  external_location_id text,
  notes text not null default '',
  is_active boolean not null default true,
  import_id bigint,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, area_id) references area,
  check ((latitude is null) = (longitude is null))
);
create unique index site_external on site (program_id, external_location_id) where external_location_id is not null and deleted_at is null;
create index site_area on site (program_id, area_id) where area_id is not null;
create index site_import on site (program_id, import_id) where import_id is not null;
-- Which sites are near a position.
create index site_position on site (program_id, latitude) where deleted_at is null;
create index site_name on site (program_id, lower(name), id) where deleted_at is null;
create index site_search on site using gin (search_key(name || ' ' || code || ' ' || city || ' ' || state) gin_trgm_ops)
  where deleted_at is null;
create trigger touch before update on site for each row execute function touch();
call protect_by_program('site');

create table site_network (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  range cidr not null,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site on delete cascade
);
create index site_network_site on site_network (program_id, site_id);
call protect_by_program('site_network');

create table site_contact (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  role text not null default '',
  email text not null default '',
  phone text not null default '',
  primary key (program_id, id),
  foreign key (program_id, site_id) references site on delete cascade
);
create index site_contact_site on site_contact (program_id, site_id);
call protect_by_program('site_contact');

create table site_department (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  primary key (program_id, id),
  foreign key (program_id, site_id) references site on delete cascade
);
create index site_department_site on site_department (program_id, site_id);
call protect_by_program('site_department');

-- Contacts, departments and networks that a save has removed, as they were; whatever comes back is taken from here.
create table site_part_removed (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  relation text not null check (relation in ('site_contact', 'site_department', 'site_network')),
  part jsonb not null,
  deleted_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, site_id) references site on delete cascade
);
create index site_part_removed_site on site_part_removed (program_id, site_id);
call protect_by_program('site_part_removed');

create table site_file (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  file_id bigint not null references stored_file,
  name text collate alphabetical not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site on delete cascade
);
create index site_file_site on site_file (program_id, site_id) where deleted_at is null;
create index site_file_file on site_file (file_id) where file_id is not null;
call protect_by_program('site_file');

create table supervisor_site (
  program_id bigint not null,
  account_id bigint not null,
  site_id bigint not null,
  primary key (program_id, account_id, site_id),
  foreign key (program_id, site_id) references site on delete cascade,
  foreign key (program_id, account_id) references account (program_id, id)
);
create index supervisor_site_site on supervisor_site (program_id, site_id);
call protect_by_program('supervisor_site');

create table affiliate_agreement (
  program_id bigint not null,
  id bigint generated always as identity,
  site_id bigint not null,
  initial_date date,
  last_renewal_date date,
  terms text not null default '',
  is_active boolean not null default true,
  is_approved boolean not null default false,
  termination_date date,
  notes text not null default '',
  file_id bigint references stored_file,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  capacity integer check (capacity between 0 and 100000),
  contacts jsonb not null default '[]',
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  constraint affiliate_agreement_dates check (initial_date <= termination_date)
);
create index affiliate_agreement_site on affiliate_agreement (program_id, site_id) where deleted_at is null;
create index affiliate_agreement_end on affiliate_agreement (program_id, termination_date) where deleted_at is null and is_active;
-- What is deleted is found from what refers to it without reading whole tables.
create index affiliate_agreement_file on affiliate_agreement (file_id) where file_id is not null;
create trigger touch before update on affiliate_agreement for each row execute function touch();
call protect_by_program('affiliate_agreement');

-- Once for each step and end: a renewal moves the end, and the steps begin anew.
create table agreement_reminder (
  program_id bigint not null,
  agreement_id bigint not null,
  termination_date date not null,
  -- Days before the end.
  step smallint not null check (step in (90, 60, 30)),
  created_at timestamptz not null default now(),
  primary key (program_id, agreement_id, termination_date, step),
  foreign key (program_id, agreement_id) references affiliate_agreement
);
call protect_by_program('agreement_reminder');
