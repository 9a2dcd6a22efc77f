-- Counts of attempts in a window; the row is written in a transaction of its own, so a failed attempt always counts.
create table throttle (
  key text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);
create index throttle_window on throttle (window_ends_at);

-- The same key gives the same answer and one effect, on any process (quality 3).
create table idempotency_key (
  account_id bigint not null references account,
  key text not null,
  endpoint text not null,
  request_hash bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);

-- Who may reach the product: one row, and the addresses that always may.
create table ip_access (
  is_only boolean default true primary key check (is_only),
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
create index ip_access_geo_file on ip_access (geo_file_id) where geo_file_id is not null;

create table ip_whitelist (
  network cidr primary key,
  created_at timestamptz not null default now(),
  created_by bigint
);

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

insert into ip_access default values;
