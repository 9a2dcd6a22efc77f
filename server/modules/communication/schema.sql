create table notification (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null,
  kind text not null,
  text text not null,
  link text not null default '',
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id)
);
create index notification_account on notification (program_id, account_id, id desc);
create index notification_unread on notification (program_id, account_id) where read_at is null;
create trigger tell_added after insert on notification
  referencing new table as changed for each statement execute function tell_notifications();
create trigger tell_changed after update on notification
  referencing new table as changed for each statement execute function tell_notifications();
call protect_by_program('notification');

-- Addresses (a@b.example) and whole domains (@b.example) that get no mail: of one program, or of the installation.
create table email_block (
  id bigint generated always as identity primary key,
  program_id bigint references program,
  address text not null check (address = lower(address) and address ~ '@.'),
  created_at timestamptz not null default now(),
  created_by bigint,
  removed_at timestamptz
);
create unique index email_block_address on email_block (coalesce(program_id, 0), address) where removed_at is null;
create index email_block_lookup on email_block (address) where removed_at is null;
create index email_block_search on email_block using gin (search_key(address) gin_trgm_ops) where removed_at is null;
alter table email_block enable row level security;
create policy program on email_block using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on')
  or (select current_setting('app.mailer', true)) = 'on');

-- Who gets a copy of the letters to the people of an area, or of all areas (specification 3 §2 Notifications).
create table notification_copy (
  program_id bigint not null,
  id bigint generated always as identity,
  account_id bigint not null,
  area_id bigint,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, area_id) references area,
  foreign key (program_id, account_id) references account (program_id, id)
);
create unique index notification_copy_once on notification_copy (program_id, account_id, coalesce(area_id, 0));
call protect_by_program('notification_copy');

-- The last mail about a feature; `times` counts all of them.
create table feature_email (
  program_id bigint not null constraint feature_letter_program_id_fkey references program,
  feature text not null constraint feature_letter_feature_check check (feature <> '' and length(feature) <= 50),
  times integer not null default 1,
  recipients integer not null,
  sent_at timestamptz not null default now(),
  sent_by bigint constraint feature_letter_sent_by_fkey references account,
  constraint feature_letter_pkey primary key (program_id, feature)
);
call protect_by_program('feature_email');

create table email_text (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  subject text not null,
  html text not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create unique index email_text_name on email_text (program_id, lower(name)) where deleted_at is null;
create trigger touch before update on email_text for each row execute function touch();
call protect_by_program('email_text');
