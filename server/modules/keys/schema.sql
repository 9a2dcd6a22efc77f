create table api_key (
  id bigint generated always as identity primary key,
  -- Null: all programs.
  program_id bigint references program,
  name text collate alphabetical not null check (name <> '' and length(name) <= 100),
  -- The key itself is shown once and kept nowhere.
  key_hash bytea not null,
  -- Its last signs, by which people tell keys apart.
  ending text not null,
  -- After a rotation the one before opens until this moment.
  previous_hash bytea,
  previous_until timestamptz,
  -- It may no more than this person may.
  account_id bigint not null references account,
  rights text[] not null,
  -- From which it may be used; from anywhere when there are none.
  networks cidr[] not null default '{}',
  calls_per_minute integer not null default 600 check (calls_per_minute between 1 and 6000),
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_address inet,
  refused_at timestamptz,
  refused_address inet,
  refused_reason text,
  rotated_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  -- For good, with the access of the person: with a new secret it opens again.
  ended_at timestamptz
);
create unique index api_key_hash on api_key (key_hash);
create unique index api_key_previous_hash on api_key (previous_hash);
create unique index api_key_name on api_key (program_id, lower(name)) nulls not distinct where revoked_at is null;
alter table api_key enable row level security;
create policy program on api_key using (
  program_id = (select current_program())
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
