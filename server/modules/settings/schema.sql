-- Every saved text is a version; the last one is the current. An empty one asks nobody for anything.
create table eula (
  id bigint generated always as identity primary key,
  html text not null,
  -- Beside the text, so that no look-up of a session has to fetch it.
  is_asked boolean generated always as (html <> '') stored,
  created_at timestamptz not null default now(),
  created_by bigint
);

create table eula_acceptance (
  eula_id bigint not null references eula,
  account_id bigint not null references account,
  accepted_at timestamptz not null default now(),
  address inet,
  primary key (eula_id, account_id)
);
