create table college (
  id bigint generated always as identity primary key,
  name text collate alphabetical not null check (name <> ''),
  ipeds_id text,
  address text not null default '',
  city text collate alphabetical not null default '',
  state text not null default '',
  zip text not null default '',
  phone text not null default '',
  website text not null default '',
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  import_id bigint,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
create unique index college_ipeds on college (ipeds_id) where deleted_at is null;
create index college_import on college (import_id) where import_id is not null;
create index college_name on college (lower(name), id) where deleted_at is null;
create index college_search on college using gin (search_key(name || ' ' || city || ' ' || state) gin_trgm_ops) where deleted_at is null;
-- Whether a row was changed since it was made is told by these dates.
create trigger touch before update on college for each row execute function touch();

create table modality (
  id bigint generated always as identity primary key,
  name text collate alphabetical not null check (name <> ''),
  deleted_at timestamptz
);
create unique index modality_name on modality (lower(name)) where deleted_at is null;

create table program_class (
  id bigint generated always as identity primary key,
  name text collate alphabetical not null check (name <> ''),
  value text not null default '',
  is_default boolean not null default false,
  deleted_at timestamptz
);
create unique index program_class_name on program_class (lower(name)) where deleted_at is null;

create table program_type (
  id bigint generated always as identity primary key,
  name text collate alphabetical not null check (name <> ''),
  deleted_at timestamptz
);
create unique index program_type_name on program_type (lower(name)) where deleted_at is null;

create table program (
  id bigint generated always as identity primary key,
  college_id bigint not null references college,
  name text collate alphabetical not null check (name <> ''),
  modality_id bigint references modality,
  program_class_id bigint references program_class,
  program_type_id bigint references program_type,
  language_profile_id bigint references language_profile,
  state text not null default '',
  time_zone text not null default 'America/New_York',
  has_credit boolean not null default false,
  requires_totp boolean not null default false,
  is_payment_enabled boolean not null default false,
  active_from date,
  active_through date,
  is_menu_visible boolean not null default true,
  options jsonb not null default '{}',
  registration_token text unique,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  hours_rules jsonb not null default '[]',
  check (active_from is null or active_through is null or active_from <= active_through)
);
create index program_college on program (college_id) where deleted_at is null;
create unique index program_name on program (college_id, lower(name)) where deleted_at is null;
