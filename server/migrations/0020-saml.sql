-- Sign-in by the identity provider of a college (SAML 2.0): providers, the programs they sign people in to, the names that
-- people have there, and sign-ins on their way. Programs see none of it: super admins keep it, and sign-in asks by function.

create table saml_provider (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  -- The provider's name for itself; every answer of it has to bear this one.
  entity_id text not null check (entity_id <> ''),
  -- Where browsers are sent to sign in.
  sso_url text not null check (sso_url ~ '^https?://'),
  -- One or more certificates in PEM: an old and a new one while the provider changes its key.
  certificate text not null check (certificate <> ''),
  certificate_expires_at timestamptz not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
create unique index saml_provider_name on saml_provider (lower(name)) where deleted_at is null;
create unique index saml_provider_entity on saml_provider (entity_id) where deleted_at is null;
create trigger touch before update on saml_provider for each row execute function touch();

create table saml_program (
  program_id bigint not null references program,
  provider_id bigint not null references saml_provider,
  -- Kept as it was given; 1: the provider grants no level.
  access_level smallint not null default 1 check (access_level between 0 and 100),
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, provider_id)
);
create index saml_program_provider on saml_program (provider_id, program_id) where removed_at is null;
alter table saml_program enable row level security;
create policy super on saml_program using ((select current_setting('app.super', true)) = 'on');

-- The name that a person has at a provider. The accounts of one person share it.
create table saml_user (
  program_id bigint not null references program,
  account_id bigint not null,
  provider_id bigint not null references saml_provider,
  id bigint generated always as identity unique,
  name_id text not null check (name_id <> ''),
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, account_id, provider_id),
  foreign key (program_id, account_id) references account (program_id, id)
);
create index saml_user_name on saml_user (provider_id, lower(name_id));
create trigger touch before update on saml_user for each row execute function touch();
alter table saml_user enable row level security;
create policy super on saml_user using ((select current_setting('app.super', true)) = 'on');

-- A sign-in on its way: begun by a browser, answered by the provider, finished by the same browser. Each step once.
create table saml_request (
  -- The ID of the request; the provider's answer names it.
  id text primary key,
  provider_id bigint not null references saml_provider,
  -- The cookie of the browser that began.
  browser_hash bytea not null,
  -- The page wanted before signing in; '' is home.
  return_to text not null default '',
  -- Who the provider says it is, once it has answered.
  name_id text,
  email text not null default '',
  -- What the browser that brought the answer was given.
  code_hash bytea unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  answered_at timestamptz,
  used_at timestamptz
);
create index saml_request_expires on saml_request (expires_at);

-- Whether the login page offers the way by a college: a provider is there, and a program that it signs in to.
create function offers_saml() returns boolean
  language sql stable security definer set search_path = public as $$
  select exists (
    select from saml_provider v
    join saml_program l on l.provider_id = v.id and l.removed_at is null
    join program p on p.id = l.program_id and p.deleted_at is null
    where v.deleted_at is null)
$$;

-- Providers that somebody who is not signed in may choose from; `of_provider` asks for one.
create function find_saml_providers(wanted text, of_provider bigint) returns table (id bigint, name text)
  language sql stable security definer set search_path = public as $$
  select v.id, v.name from saml_provider v
  where v.deleted_at is null and (of_provider is null or v.id = of_provider) and v.name ilike wanted
    and exists (
      select from saml_program l join program p on p.id = l.program_id and p.deleted_at is null
      where l.provider_id = v.id and l.removed_at is null)
  order by lower(v.name), v.id
$$;

-- Accounts that a provider may sign in: active ones of its programs, neither super admins, whose rights reach beyond every
-- college, nor test users, whom a super admin lends herself. `by_name`: the name was given to the account; otherwise nobody
-- has this name, and the confirmed address of the account is the one that the provider tells.
create function find_saml_accounts(of_provider bigint, wanted text, address text) returns table (
  account_id bigint, program_id bigint, user_name text, program_name text, by_name boolean
) language sql stable security definer set search_path = public as $$
  with named as (
    select u.account_id from saml_user u
    where u.provider_id = of_provider and lower(u.name_id) = lower(wanted)
      -- Names that are no addresses are made by machines and may differ in case alone.
      and (u.name_id = wanted or position('@' in wanted) > 0)),
  found as (
    select n.account_id as id, true as by_name from named n
    union all
    select a.id, false from account a
    where not exists (select from named) and address <> '' and lower(a.email) = lower(address)
      and a.is_email_confirmed and a.deleted_at is null
      and not exists (select from saml_user u where u.provider_id = of_provider and u.program_id = a.program_id
        and u.account_id = a.id))
  select a.id, a.program_id, a.user_name, p.name, f.by_name
  from found f
  join account a on a.id = f.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
    and a.test_mode is null
  join program p on p.id = a.program_id and p.deleted_at is null
  join saml_program l on l.program_id = a.program_id and l.provider_id = of_provider and l.removed_at is null
  order by p.name, a.user_name
$$;

-- The people of a provider's programs with their names there, for super admins. Other calls see accounts of one program.
create function saml_users(of_provider bigint, of_program bigint, wanted text) returns table (
  id bigint, account_id bigint, program_id bigint, program_name text, college_name text, email text, first_name text,
  last_name text, user_name text, name_id text, created_at timestamptz, updated_at timestamptz
) language sql stable security definer set search_path = public as $$
  select u.id, a.id, p.id, p.name, c.name, a.email, a.first_name, a.last_name, a.user_name, u.name_id, u.created_at,
    u.updated_at
  from saml_program l
  join program p on p.id = l.program_id and p.deleted_at is null
  join college c on c.id = p.college_id
  join account a on a.program_id = p.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
    and a.test_mode is null
  left join saml_user u on u.program_id = a.program_id and u.account_id = a.id and u.provider_id = of_provider
  where l.provider_id = of_provider and l.removed_at is null and (of_program is null or l.program_id = of_program)
    and (wanted = '' or (a.first_name || ' ' || a.last_name || ' ' || a.user_name || ' ' || a.email || ' '
      || coalesce(u.name_id, '')) ilike wanted)
    and (select current_setting('app.super', true)) = 'on'
$$;

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (941, 9, 'settings', '/new/admin/saml/admin', 110, 'SAML Settings', true, 1),
  (942, 9, 'settings', '/new/admin/saml/users', 120, 'SAML Users', true, 1);
