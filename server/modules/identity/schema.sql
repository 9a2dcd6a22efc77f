create table recovery_code (
  account_id bigint not null references account,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (account_id, code_hash)
);

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
  used_at timestamptz,
  -- Of OpenID Connect; the verifier is sealed.
  nonce text,
  verifier text,
  -- How the provider calls the session that it has begun for the person; '' where it does not say.
  session_index text not null default ''
);
create index saml_request_expires on saml_request (expires_at);

-- How a connection is doing. A table of its own: what happens there changes nothing that somebody is editing.
create table college_connection_state (
  provider_id bigint primary key references saml_provider,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default ''
);

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
  title text collate alphabetical not null,
  memberships_url text not null,
  seen_at timestamptz not null default now(),
  unique (provider_id, context_id)
);

-- The address of a connection that no platform has opened yet. Gone once it was used.
create table lti_registration (
  provider_id bigint primary key references saml_provider,
  token_hash bytea not null unique,
  -- Whose rights it has.
  created_by bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Openings so far, and until when one of them is on its way.
  attempts integer not null default 0,
  busy_until timestamptz
);
