create table saml_provider (
  id bigint generated always as identity primary key,
  name text collate alphabetical not null check (name <> ''),
  -- The provider's name for itself; every answer of it has to bear this one.
  entity_id text not null,
  -- Where browsers are sent to sign in.
  sso_url text check (sso_url ~ '^https?://'),
  -- One or more certificates in PEM: an old and a new one while the provider changes its key.
  certificate text check (certificate <> ''),
  certificate_expires_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  kind text not null default 'saml' check (kind in ('saml', 'oidc', 'lti')),
  -- How this installation is called by the provider; '' for SAML, where its address is the name.
  client_id text not null default '',
  -- Sealed; null for a provider that asks for none.
  client_secret text,
  -- The claim that names a person there: `sub`, or `oid` of Microsoft Entra, whose `sub` differs from application to application.
  subject_claim text not null default 'sub' check (subject_claim in ('sub', 'oid')),
  -- Where browsers are sent for the launch.
  auth_url text,
  -- Where the platform's public keys are.
  keys_url text,
  -- Where this installation asks for access to rosters, and under which name the platform expects to be asked; '' where rosters are not read.
  token_url text not null default '',
  token_audience text not null default '',
  -- The deployments whose launches are taken.
  deployments text[] not null default '{}',
  -- The level that each role of a roster gives; roles that are not in it give none.
  role_levels jsonb not null default '{}',
  stage text not null default 'on' check (stage in ('on', 'awaits_lms', 'awaits_approval')),
  -- Each OpenID Connect provider sends browsers back to an address of its own, so that a code of one is never brought to another
  -- (RFC 9700, 4.4). Those that were connected before have the shared address until the new one is entered at the provider.
  has_own_answer boolean not null default true,
  -- Signing out at a college's provider ends the sessions that it has opened, and signing out here is told to it (SAML single logout).
  -- Where browsers are sent to sign out; '' for a provider that knows no such thing.
  slo_url text not null default '' check (slo_url = '' or slo_url ~ '^https?://'),
  constraint saml_provider_parts
    check (
case
    when stage = 'awaits_lms' then entity_id = '' and client_id = ''
    else entity_id <> '' and
    case kind
        when 'saml' then sso_url is not null and certificate is not null and certificate_expires_at is not null
        when 'lti' then client_id <> '' and auth_url is not null and keys_url is not null
        else client_id <> ''
    end
end),
  constraint saml_provider_stage_kind check (stage = 'on' or kind = 'lti')
);
create unique index saml_provider_entity on saml_provider (entity_id, client_id)
  where deleted_at is null and stage <> 'awaits_lms';
create unique index saml_provider_name on saml_provider (lower(name)) where deleted_at is null;
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

-- By which requests to sign out are signed; made when a provider's metadata are first asked for. One row.
create table saml_key (
  id boolean default true primary key check (id),
  sealed_private text not null,
  certificate text not null,
  created_at timestamptz not null default now()
);
