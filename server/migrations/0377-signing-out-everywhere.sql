-- Signing out at a college's provider ends the sessions that it has opened, and signing out here is told to it (SAML single logout).
alter table saml_provider
  -- Where browsers are sent to sign out; '' for a provider that knows no such thing.
  add column slo_url text not null default '' check (slo_url = '' or slo_url ~ '^https?://');
alter table saml_request
  -- How the provider calls the session that it has begun for the person; '' where it does not say.
  add column session_index text not null default '';
-- By what the provider means the session; null for one that no provider has opened.
alter table session add column college_name text, add column college_index text;
create index session_college on session (provider_id, lower(college_name)) where ended_at is null and college_name is not null;

-- By which requests to sign out are signed; made when a provider's metadata are first asked for. One row.
create table saml_key (
  id boolean primary key default true check (id),
  sealed_private text not null,
  certificate text not null,
  created_at timestamptz not null default now()
);
