create table webhook_endpoint (
  program_id bigint not null references program,
  id bigint generated always as identity,
  url text not null check (length(url) <= 2000),
  description text not null default '' check (length(description) <= 200),
  events text[] not null,
  -- Sealed; after a rotation both sign until the moment.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  is_enabled boolean not null default true,
  -- Why it was switched off by the product itself.
  disabled_reason text not null default '',
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default '',
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  deleted_at timestamptz,
  primary key (program_id, id)
);
create trigger touch before update of url, events, secret on webhook_endpoint for each row execute function touch();
call protect_by_program('webhook_endpoint');

-- The number of a subject's last event. Its row is locked until the transaction ends, so numbers are in the order of commits.
create table webhook_subject (
  program_id bigint not null references program,
  subject text not null,
  last_number bigint not null,
  primary key (program_id, subject)
);
call protect_by_program('webhook_subject');

create table webhook_event (
  program_id bigint not null references program,
  id bigint generated always as identity,
  type text not null,
  subject text not null,
  number bigint not null,
  data jsonb not null,
  -- What happens by the calendar is told once under this name.
  once text,
  at timestamptz not null default now(),
  primary key (program_id, id)
);
create unique index webhook_event_once on webhook_event (program_id, once) where once is not null;
create index webhook_event_age on webhook_event (program_id, at);
call protect_by_program('webhook_event');

create table webhook_delivery (
  program_id bigint not null references program,
  endpoint_id bigint not null,
  event_id bigint not null,
  subject text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  -- A process that sends it has it until then; one that died gives it back by the time.
  claimed_until timestamptz,
  claim uuid,
  tried_at timestamptz,
  status integer,
  answer text not null default '',
  error text not null default '',
  milliseconds integer,
  primary key (program_id, endpoint_id, event_id),
  foreign key (program_id, event_id) references webhook_event on delete cascade,
  foreign key (program_id, endpoint_id) references webhook_endpoint
);
create index webhook_delivery_waiting on webhook_delivery (program_id, endpoint_id, subject, event_id) where state = 'waiting';
create index webhook_delivery_event on webhook_delivery (program_id, event_id);
create index webhook_delivery_due on webhook_delivery (next_at) where state = 'waiting';
call protect_by_program('webhook_delivery');
