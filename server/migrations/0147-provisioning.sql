-- Provisioning by SCIM 2.0: the directory of a college keeps the people of a program, through one of its connections and with a key of
-- its own for each program.

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
  check (default_level between 1 and max_level)
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
  primary key (program_id, provider_id, account_id),
  foreign key (program_id, provider_id) references scim_connection on delete cascade,
  foreign key (program_id, account_id) references account (program_id, id)
);
create unique index scim_user_name on scim_user (program_id, provider_id, lower(user_name));
create index scim_user_external on scim_user (program_id, provider_id, external_id);
call protect_by_program('scim_user');

create table scim_group (
  program_id bigint not null,
  id bigint generated always as identity,
  provider_id bigint not null,
  name text not null check (name <> ''),
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

-- Whose key it is, asked before a program is known.
create function find_scim_connection(hash bytea) returns table (
  program_id bigint, provider_id bigint, provider_name text, provider_kind text, max_level smallint, default_level smallint,
  adopts_by_email boolean
) language sql stable security definer set search_path = public as $$
  select c.program_id, c.provider_id, v.name, v.kind, c.max_level, c.default_level, c.adopts_by_email
  from scim_connection c
  join saml_provider v on v.id = c.provider_id and v.deleted_at is null
  join saml_program l on l.program_id = c.program_id and l.provider_id = c.provider_id and l.removed_at is null
  join program p on p.id = c.program_id and p.deleted_at is null
  where c.key_hash = hash or (c.previous_hash = hash and c.previous_until > now())
$$;

-- Keeps by which name the provider knows a person that its directory has told. A name that somebody gave otherwise stays, and so
-- does one that a person with another address has. The row-level security of names is for super admins.
create function save_scim_name(of_program bigint, of_provider bigint, of_account bigint, told text, last text) returns void
  language plpgsql security definer set search_path = public as $$
begin
  if told = '' or not exists (select from scim_connection c where c.program_id = of_program and c.provider_id = of_provider)
    then return; end if;
  perform from saml_provider v where v.id = of_provider for update;
  if exists (select from saml_user u join account o on o.id = u.account_id join account a on a.id = of_account
    where u.provider_id = of_provider and u.name_id = told and u.account_id <> of_account and lower(o.email) <> lower(a.email))
    then return; end if;
  insert into saml_user as u (program_id, account_id, provider_id, name_id) values (of_program, of_account, of_provider, told)
    on conflict (program_id, account_id, provider_id) do update set name_id = told where u.name_id = last;
end $$;

-- The account of a program that bears a name at the provider.
create function find_scim_named(of_program bigint, of_provider bigint, told text) returns bigint
  language sql stable security definer set search_path = public as $$
  select u.account_id from saml_user u where u.program_id = of_program and u.provider_id = of_provider and u.name_id = told
  order by u.account_id limit 1
$$;
