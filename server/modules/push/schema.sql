-- The installation: whether anything is sent, the pair of keys by which push services know it, and how it goes. One row, made when it
-- is first switched on.
create table push_service (
  id boolean default true primary key check (id),
  is_on boolean not null default false,
  -- P-256: the public key as browsers take it, base64url without padding; the private one is sealed.
  public_key text not null,
  private_key text not null,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by bigint
);

-- What a person wants to be told, and when to be left alone. Without a row: nothing.
create table push_choice (
  program_id bigint not null references program,
  account_id bigint not null,
  kinds text[] not null default '{}' check (kinds <@ '{shift,clock-out,evaluation,answer}'::text[]),
  -- Local times of the program; both or neither.
  quiet_from time without time zone,
  quiet_until time without time zone,
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id),
  check ((quiet_from is null) = (quiet_until is null))
);
call protect_by_program('push_choice');

-- A browser of a person that takes messages. Its address is a secret of the push service: whoever has it may send.
create table push_device (
  program_id bigint not null references program,
  -- Chosen by the browser, which knows itself by it.
  id uuid not null,
  account_id bigint not null,
  name text collate alphabetical not null check (length(name) >= 1 and length(name) <= 60),
  endpoint text not null check (length(endpoint) <= 2000),
  p256dh text not null,
  auth text not null,
  -- The key of the installation that it was made for.
  public_key text not null,
  -- The session in which the person was last seen there: when that is ended, messages end.
  session_id bigint,
  seen_at timestamptz not null default now(),
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- 'removed' is for good; after anything else the browser may come back by itself.
  end_reason text not null default '' check (end_reason in ('', 'removed', 'session', 'account', 'gone', 'moved', 'keys')),
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id),
  check ((ended_at is null) = (end_reason = ''))
);
create unique index push_device_endpoint on push_device (md5(endpoint)) where ended_at is null;
create index push_device_account on push_device (program_id, account_id);
create index push_device_session on push_device (session_id) where ended_at is null;
call protect_by_program('push_device');

-- What is to be told to a device, written in the transaction that causes it. What it says is read when it is sent.
create table push_message (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null,
  device_id uuid not null,
  kind text not null check (kind in ('shift', 'clock-out', 'evaluation', 'answer', 'test')),
  -- Of the messages of a topic the device shows the newest alone.
  topic text not null,
  link text not null check (link ~~ '/new/%'),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'failed')),
  -- Why it was dropped, or what the push service said.
  note text not null default '',
  queued_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- A process that sends it has it until then; one that died gives it back by the time.
  claimed_until timestamptz,
  claim uuid,
  done_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, device_id) references push_device on delete cascade
);
-- What is told of by the calendar is told once.
create unique index push_message_once on push_message (program_id, device_id, topic) where kind in ('shift', 'clock-out');
create index push_message_device on push_message (program_id, device_id);
create index push_message_waiting on push_message (program_id, device_id, topic) where state = 'waiting';
create index push_message_due on push_message (next_at) where state = 'waiting';
create index push_message_age on push_message (queued_at);
call protect_by_program('push_message');
