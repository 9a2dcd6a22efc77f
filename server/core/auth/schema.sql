create table session (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  csrf_token text not null,
  account_id bigint not null references account,
  college_id bigint,
  program_id bigint,
  template_id bigint,
  is_program_menu_enabled boolean not null default false,
  is_admin_menu_semi_hidden boolean not null default true,
  address inet,
  agent text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- Why somebody else than who sat there ended it, or the same person elsewhere; null for whoever signed out or signed in anew.
  ended_for text check (ended_for in ('access', 'ended', 'password', 'authenticator', 'college')),
  totp_draft text,
  totp_draft_at timestamptz,
  viewed_account_id bigint references account,
  is_shared boolean not null default false,
  proven_at timestamptz,
  proof_code bytea,
  proof_code_until timestamptz,
  mailbox text,
  provider_id bigint,
  -- By what the provider means the session; null for one that no provider has opened.
  college_name text,
  college_index text
);
create index session_account on session (account_id) where ended_at is null;
create index session_last_seen on session (last_seen_at) where ended_at is null;
-- Ended sessions count too, so that the number of a day never falls.
create index session_seen on session (last_seen_at);
create index session_created on session (created_at) include (account_id);
create index session_college on session (provider_id, lower(college_name)) where ended_at is null and college_name is not null;
create trigger tell_ended after update of ended_at on session
  for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_ended_session();
create trigger keep_seen after insert or update of last_seen_at on session for each row execute function keep_seen();
create trigger push after update of ended_at on session for each row
  when (old.ended_at is null and new.ended_at is not null) execute function end_push_of_session();

-- One-time links and codes by mail; only hashes are kept.
create table one_time_token (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('password_reset', 'magic_link', 'email_confirmation', 'not_me')),
  token_hash bytea not null unique,
  code_hash bytea,
  account_id bigint references account,
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Whose call it comes from.
  caused_by bigint
);
alter table one_time_token alter column caused_by set default current_account();
create index one_time_token_account on one_time_token (account_id, kind);
create index one_time_token_email on one_time_token (lower(email)) where kind = 'magic_link' and used_at is null;
create index one_time_token_expires on one_time_token (expires_at);

-- By which the first super admin is made while nobody has an account; every start makes it anew, for all processes.
create table first_code (
  is_only boolean default true primary key check (is_only),
  sealed text not null,
  made_at timestamptz not null default now()
);
revoke insert, update on first_code from app;

-- Sign-ins of days that are over, by the time zone that the day belongs to: they change no more, so that a job keeps them
-- and a sign-in writes nothing for them. Only today is counted.
create table sign_in_day (
  time_zone text not null,
  date date not null,
  people integer not null,
  sign_ins integer not null,
  primary key (time_zone, date)
);

-- Devices that an account has signed in on, by the hash of their cookie, and the countries that it has signed in from.
create table known_device (
  account_id bigint not null references account,
  device_hash bytea not null,
  last_seen_at timestamptz not null default now(),
  countries text[] not null default '{}',
  primary key (account_id, device_hash)
);
create index known_device_last_seen on known_device (last_seen_at);
