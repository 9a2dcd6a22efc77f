-- Sites that several programs share, also of several colleges: one counter of students a day. Programs read of it by the functions below,
-- each of which works for the program of the running transaction alone.
create table shared_site (
  id bigint generated always as identity primary key,
  name text collate alphabetical not null check (name <> ''),
  -- Students a day, of all its programs together.
  capacity integer not null check (capacity between 1 and 10000),
  created_at timestamptz not null default now()
);
alter table shared_site enable row level security;

create table shared_site_program (
  program_id bigint not null references program,
  shared_site_id bigint not null references shared_site,
  site_id bigint not null,
  joined_at timestamptz not null default now(),
  joined_by bigint,
  left_at timestamptz,
  left_by bigint,
  primary key (program_id, shared_site_id, joined_at),
  foreign key (program_id, site_id) references site
);
create unique index shared_site_program_site on shared_site_program (program_id, site_id) where left_at is null;
create unique index shared_site_program_once on shared_site_program (program_id, shared_site_id) where left_at is null;
create index shared_site_program_members on shared_site_program (shared_site_id) where left_at is null;
call protect_by_program('shared_site_program');

-- Offers to share: whoever has the code may join once, for a fortnight.
create table shared_site_code (
  hash bytea primary key,
  shared_site_id bigint not null references shared_site,
  program_id bigint not null references program,
  created_by bigint,
  expires_at timestamptz not null default now() + '14 days'::interval,
  used_at timestamptz
);
alter table shared_site_code enable row level security;

-- The counter that writers of all programs lock. A day that was fuller when a program joined keeps what it has, and takes nobody new.
create table shared_site_day (
  shared_site_id bigint not null references shared_site,
  date date not null,
  placed integer not null default 0,
  capacity integer not null,
  primary key (shared_site_id, date),
  constraint shared_site_day_capacity check (placed >= 0 and placed <= capacity)
);
alter table shared_site_day enable row level security;
