create table scim_connection (
  program_id bigint not null references program,
  provider_id bigint not null references saml_provider,
  -- Nobody above it is made, seen or changed.
  max_level smallint not null check (max_level between 1 and 99),
  -- Of people whom no group gives another.
  default_level smallint not null,
  -- Whether an account of the program with the same email address is taken over. Otherwise it is a conflict.
  adopts_by_email boolean not null default false,
  -- The key is shown once and kept nowhere; after a rotation the one before opens until the moment.
  key_hash bytea not null,
  ending text not null,
  previous_hash bytea,
  previous_until timestamptz,
  last_used_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default '',
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, provider_id),
  check (default_level >= 1 and default_level <= max_level)
);
create unique index scim_connection_key on scim_connection (key_hash);
create unique index scim_connection_previous_key on scim_connection (previous_hash) where previous_hash is not null;
call protect_by_program('scim_connection');

-- The people that a directory keeps. One that it has deleted stays, so that the same name restores the account.
create table scim_user (
  program_id bigint not null,
  provider_id bigint not null,
  account_id bigint not null,
  user_name text not null check (user_name <> ''),
  external_id text not null default '',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What a directory has said of a person, by our names of the fields. The rest is the staff's: a whole user without it leaves it as it is.
  told text[] not null default '{}',
  -- What a directory says of somebody is written by nobody else until staff take it over, and by the directory no longer from then on.
  kept text[] not null default '{}',
  primary key (program_id, provider_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id),
  foreign key (program_id, provider_id) references scim_connection on delete cascade
);
create unique index scim_user_name on scim_user (program_id, provider_id, lower(user_name));
create index scim_user_external on scim_user (program_id, provider_id, external_id);
call protect_by_program('scim_user');

create table scim_group (
  program_id bigint not null,
  id bigint generated always as identity,
  provider_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  external_id text not null default '',
  -- The level that it gives; null while nobody has said.
  level smallint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, provider_id) references scim_connection on delete cascade
);
create unique index scim_group_name on scim_group (program_id, provider_id, lower(name));
call protect_by_program('scim_group');

create table scim_group_member (
  program_id bigint not null,
  group_id bigint not null,
  account_id bigint not null,
  primary key (program_id, group_id, account_id),
  foreign key (program_id, group_id) references scim_group on delete cascade,
  foreign key (program_id, account_id) references account (program_id, id)
);
create index scim_group_member_account on scim_group_member (program_id, account_id);
call protect_by_program('scim_group_member');

-- Which fields of people a directory says, by our names of them, and which of those staff have taken over. Rosters add people and say
-- nothing of them later.
create view directory_field with (security_invoker = true) as
  select s.program_id, s.account_id, string_agg(distinct v.name, ' and ') as directory,
    array_agg(distinct f.name order by f.name) as fields,
    coalesce(array_agg(distinct f.name) filter (where f.name = any (s.kept)), '{}') as kept
  from scim_user s join saml_provider v on v.id = s.provider_id and v.deleted_at is null and v.kind <> 'lti'
  cross join lateral unnest(s.told) f (name)
  where s.deleted_at is null
  group by s.program_id, s.account_id;
