-- Links that open one thing for one named recipient without an account: a packet, an exam, an inbox. The link itself is a secret; the
-- first opening on a device asks a code that is mailed to the recipient.
create table scoped_link (
  program_id bigint not null references program,
  id bigint generated always as identity,
  kind text not null check (kind ~ '^[a-z]+$'),
  -- The row of the kind that it opens.
  subject_id bigint not null,
  recipient_name text not null check (recipient_name <> ''),
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
call protect_by_program('scoped_link');

-- Browsers in which a code was typed. Each keeps a secret of its own, and an opening lasts an hour.
create table scoped_link_device (
  program_id bigint not null,
  id bigint generated always as identity,
  link_id bigint not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  opened_at timestamptz not null default now(),
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

create function find_scoped_link(hash bytea) returns table (program_id bigint, id bigint)
  language sql stable security definer set search_path = public as $$
  select l.program_id, l.id from scoped_link l join program p on p.id = l.program_id and p.deleted_at is null
  where l.token_hash = hash
$$;

call add_mail_template('LINK_code',
  '<p><strong>Code of a link.</strong> Sent to the recipient of a link when it is opened on a device for the first time. Always sent.</p>',
  'Your code is {{code}}',
  '<p>Hello {{recipient.name}},</p><p>Type this code on the page that you have opened: <strong>{{code}}</strong></p><p>It works once, for {{minutes}} minutes. If you did not open a link from us, ignore this email: without the code the link opens nothing.</p>');
