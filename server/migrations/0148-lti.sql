-- Launches from a learning management system (LTI 1.3): a third kind of connection of a college. Programs, names of people and sign-ins
-- on their way are those of the other kinds; what only this protocol has is here.

alter table saml_provider
  drop constraint saml_provider_kind_check,
  drop constraint saml_provider_parts,
  add constraint saml_provider_kind_check check (kind in ('saml', 'oidc', 'lti')),
  -- Where browsers are sent for the launch.
  add column auth_url text,
  -- Where the platform's public keys are.
  add column keys_url text,
  -- Where this installation asks for access to rosters, and under which name the platform expects to be asked; '' where rosters are not read.
  add column token_url text not null default '',
  add column token_audience text not null default '',
  -- The deployments whose launches are taken.
  add column deployments text[] not null default '{}',
  -- The level that each role of a roster gives; roles that are not in it give none.
  add column role_levels jsonb not null default '{}',
  add constraint saml_provider_parts check (case kind
    when 'saml' then sso_url is not null and certificate is not null and certificate_expires_at is not null
    when 'lti' then client_id <> '' and auth_url is not null and keys_url is not null
    else client_id <> '' end);

-- The keys by which platforms know this installation. The newest that is a day old signs: by then every platform has read it.
create table lti_key (
  id bigint generated always as identity primary key,
  kid text not null unique,
  public_jwk jsonb not null,
  sealed_private text not null,
  created_at timestamptz not null default now()
);

-- A launch that began in a frame, where browsers keep no cookies: opened once, in a window of its own.
create table lti_ticket (
  ticket_hash bytea primary key,
  -- Of the page in the frame, which asks how the launch goes on.
  frame_hash bytea not null unique,
  provider_id bigint not null references saml_provider,
  login_hint text not null,
  message_hint text not null,
  -- The sign-in that it became.
  request_id text unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  opened_at timestamptz
);
create index lti_ticket_expires on lti_ticket (expires_at);

-- A request of a platform for links that an instructor chooses, and the signed answer that the browser takes back.
create table lti_deep_link (
  id bigint generated always as identity primary key,
  -- Of the page on which the links are chosen.
  token_hash bytea not null unique,
  request_id text not null unique,
  provider_id bigint not null references saml_provider,
  deployment_id text not null,
  return_url text not null,
  data text,
  accepts_multiple boolean not null,
  -- Who signed in by it, and may answer.
  account_id bigint,
  response text,
  answered_at timestamptz,
  expires_at timestamptz not null
);
create index lti_deep_link_expires on lti_deep_link (expires_at);

-- The courses that launches have told, with the address of each roster.
create table lti_course (
  id bigint generated always as identity primary key,
  provider_id bigint not null references saml_provider,
  context_id text not null check (context_id <> ''),
  title text not null,
  memberships_url text not null,
  seen_at timestamptz not null default now(),
  unique (provider_id, context_id)
);

-- A roster as it was read, until somebody has looked at it and applied it.
create table lti_roster (
  program_id bigint not null references program,
  id bigint generated always as identity,
  provider_id bigint not null references saml_provider,
  course_id bigint not null references lti_course,
  members jsonb not null,
  adopts_by_email boolean not null,
  read_at timestamptz not null default now(),
  read_by bigint,
  applied_at timestamptz,
  primary key (program_id, id)
);
create index lti_roster_read on lti_roster (read_at);
call protect_by_program('lti_roster');

-- Who is in a program by the roster of a course. Who leaves the last of them is deactivated.
create table lti_roster_member (
  program_id bigint not null,
  course_id bigint not null references lti_course,
  account_id bigint not null,
  primary key (program_id, course_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id)
);
create index lti_roster_member_account on lti_roster_member (program_id, account_id);
call protect_by_program('lti_roster_member');

-- As before; a platform is no college to choose before signing in, for its launches begin there.
create or replace function find_saml_providers(wanted text, of_provider bigint) returns table (id bigint, name text, kind text)
  language sql stable security definer set search_path = public as $$
  select v.id, v.name, v.kind from saml_provider v
  where v.deleted_at is null and (of_provider is null or v.id = of_provider) and v.name ilike wanted
    and (v.kind in ('saml', 'oidc') or of_provider is not null)
    and exists (
      select from saml_program l join program p on p.id = l.program_id and p.deleted_at is null
      where l.provider_id = v.id and l.removed_at is null)
  order by lower(v.name), v.id
$$;

-- The names that people of a program have at a provider. The row-level security of names is for super admins.
create function roster_names(of_program bigint, of_provider bigint) returns table (account_id bigint, name_id text)
  language sql stable security definer set search_path = public as $$
  select u.account_id, u.name_id from saml_user u where u.program_id = of_program and u.provider_id = of_provider
$$;
