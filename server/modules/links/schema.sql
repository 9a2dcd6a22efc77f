-- Links that open one thing for one named recipient without an account: a packet, an exam, an inbox. The link itself is a secret; the
-- first opening on a device asks a code that is mailed to the recipient.
create table scoped_link (
  program_id bigint not null references program,
  id bigint generated always as identity,
  kind text not null check (kind ~ '^[a-z]+$'),
  -- The row of the kind that it opens.
  subject_id bigint not null,
  recipient_name text collate alphabetical not null check (recipient_name <> ''),
  recipient_email text not null check (recipient_email <> ''),
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  withdrawn_at timestamptz,
  withdrawn_by bigint,
  -- The newest code that was mailed, until it is used.
  code_hash bytea,
  code_expires_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  check ((code_hash is null) = (code_expires_at is null))
);
create index scoped_link_subject on scoped_link (program_id, kind, subject_id, id);
create index scoped_link_recipient on scoped_link (program_id, lower(recipient_email), kind, id) where withdrawn_at is null;
-- All inbox links of an address, whatever their program.
create index scoped_link_inbox on scoped_link (lower(recipient_email), id) where kind = 'inbox';
call protect_by_program('scoped_link');

-- Browsers in which a code was typed. Each keeps a secret of its own, and an opening lasts an hour.
create table scoped_link_device (
  program_id bigint not null,
  id bigint generated always as identity,
  link_id bigint not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  opened_at timestamptz not null default now(),
  -- What a device calls itself, so that staff see where a link is open.
  agent text not null default '',
  primary key (program_id, id),
  foreign key (program_id, link_id) references scoped_link
);
create index scoped_link_device_link on scoped_link_device (program_id, link_id, secret_hash);
call protect_by_program('scoped_link_device');

-- Every opening and what was done through it, for the page of the link; the audit has them too.
create table scoped_link_use (
  program_id bigint not null,
  id bigint generated always as identity,
  link_id bigint not null,
  at timestamptz not null default now(),
  action text not null,
  address text not null,
  primary key (program_id, id),
  foreign key (program_id, link_id) references scoped_link
);
create index scoped_link_use_link on scoped_link_use (program_id, link_id, id);
call protect_by_program('scoped_link_use');
