create table student_level (
  program_id bigint not null references program,
  id smallint not null check (id between 1 and 20),
  name text collate alphabetical not null check (name <> '' and POSITION((',') in (name)) = 0),
  primary key (program_id, id)
);
call protect_by_program('student_level');

-- A person's account in one program; super admins have no program or a home program (product 3.1).
create table account (
  id bigint generated always as identity primary key,
  program_id bigint references program,
  user_name text not null check (user_name ~ '^[A-Za-z0-9]{1,50}$'),
  password_hash text,
  access_level smallint not null,
  super_admin_areas integer,
  is_demo boolean not null default false,
  email text not null default '',
  is_email_confirmed boolean not null default false,
  first_name text collate alphabetical not null default '',
  middle_name text collate alphabetical not null default '',
  last_name text collate alphabetical not null default '',
  suffix text not null default '',
  institution text collate alphabetical not null default '',
  zip text not null default '',
  phone text not null default '',
  student_number text collate alphabetical,
  student_level_id smallint,
  cohort text collate alphabetical,
  area_id bigint,
  preferences jsonb not null default '{}',
  totp_secret text,
  totp_last_step bigint,
  password_changed_at timestamptz,
  deactivated_at timestamptz,
  import_id bigint,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  registered_at timestamptz,
  test_mode text check (test_mode in ('coord', 'admin')),
  -- Spanish as the second language: whom it is shown and written to, and the words of programs in it.
  -- What the person has chosen; null follows the browser.
  language text check (language in ('en', 'es')),
  -- What the browser preferred when the person last signed in.
  browser_language text check (browser_language in ('en', 'es')),
  reset_email text,
  frozen_at timestamptz,
  -- Who counts when. A student counts on a day up to `counts_through`: forever while they study, up to the last day once they have
  -- left, and null for whoever never was a student. What was before stays in every sum; what was to come is free.
  counts_through date,
  totp_since timestamptz,
  has_given_password boolean not null default false,
  -- The last day of whoever leaves on a day to come: access ends on the day after. Whoever has left, or stays, has none.
  leaves_on date,
  unique (program_id, id),
  foreign key (program_id, area_id) references area,
  foreign key (program_id, student_level_id) references student_level,
  check (program_id is not null or access_level = 100)
);
create unique index account_user_name on account (lower(user_name));
create index account_email on account (lower(email)) where deleted_at is null;
create index account_area on account (program_id, area_id) where area_id is not null;
create index account_import on account (program_id, import_id) where import_id is not null;
-- User names are unique in the installation, so imports ask past the program's border which of these are taken; and for
-- names made of a stem and a counter, which of the stem exist.
create index account_user_stem on account (rtrim(lower(user_name), '0123456789'));
create unique index account_test_user on account (program_id, test_mode)
  where test_mode is not null and deleted_at is null;
-- The home page counts over everybody of a program: these indexes answer without the rows of the tables.
create index account_students on account (program_id, id)
  where access_level = 39 and deactivated_at is null and deleted_at is null;
-- Students who were only added are few, and asked for by each home page.
create index account_not_set_up on account (program_id)
  where access_level = 39 and deactivated_at is null and deleted_at is null and (coalesce(cohort, '') = '' or student_level_id is null);
-- Accounts that were deleted: lists of what belongs to students leave out the few, in place of looking up the many.
create index account_deleted on account (program_id, id) where deleted_at is not null;
-- Alumni are counted as students are.
create index account_alumni on account (program_id, id) where access_level = 29 and deleted_at is null;
create index account_reset_email on account (lower(reset_email)) where reset_email is not null;
create index account_list on account (program_id, access_level, lower(last_name), lower(first_name), id) where deleted_at is null;
create index account_name on account (program_id, lower(last_name), lower(first_name), id) where deleted_at is null;
-- Not unique: two students may share an ID after somebody has confirmed it (product 3.1).
create index account_student_number on account (program_id, student_number)
  where student_number is not null and deleted_at is null and access_level = 39;
create index account_search on account using gin
  (search_key(first_name || ' ' || last_name || ' ' || user_name || ' ' || email || ' ' || coalesce(student_number, '')) gin_trgm_ops)
  where deleted_at is null;
create index account_leaves on account (program_id, leaves_on) where leaves_on is not null;
create trigger touch before update on account for each row execute function touch();
create trigger keep_added_standing after insert on account referencing new table as changed
  for each statement execute function keep_student_competencies();
create trigger keep_changed_standing after update on account referencing old table as was new table as changed
  for each statement execute function keep_student_competencies();
create trigger push after update of deactivated_at, deleted_at, access_level on account for each row
  when ((new.deactivated_at is not null and old.deactivated_at is null) or (new.deleted_at is not null and old.deleted_at is null)
    or new.access_level <> old.access_level)
  execute function end_push_of_account();
create trigger keep_confirmed_email before update of email, is_email_confirmed on account for each row execute function keep_confirmed_email();
create trigger counts_through before insert or update of access_level, deactivated_at, deleted_at, leaves_on on account
  for each row execute function keep_counts_through();
create trigger free_future after update of access_level, deactivated_at, deleted_at, leaves_on on account for each row
  when (new.program_id is not null and old.program_id = new.program_id
    and (old.counts_through, old.deactivated_at is null, old.deleted_at is null, old.leaves_on)
      is distinct from (new.counts_through, new.deactivated_at is null, new.deleted_at is null, new.leaves_on))
  execute function free_future();
alter table account enable row level security;
call never_delete('account');
-- One comparison answers nearly every row. A plain "or" the planner would take apart into a union of three index scans.
create policy program on account using (case when program_id = (select current_program()) then true
  else program_id = any ((select allowed_programs())::bigint[]) or id = (select current_account())
    or (program_id is null and (select current_setting('app.super', true)) = 'on') end);

create table employment (
  program_id bigint not null references program,
  account_id bigint not null,
  status text not null check (status in ('field', 'other', 'seeking', 'education', 'military', 'notSeeking')),
  employer text collate alphabetical not null default '',
  position text collate alphabetical not null default '',
  start_date date,
  credential text collate alphabetical not null default '',
  may_contact boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id),
  check (employer <> '' or (status not in ('field', 'other')))
);
create trigger touch before update on employment for each row execute function touch();
call protect_by_program('employment');

-- People who work at a site and have no account (specification 3 §2, §3).
create table employee (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint not null,
  first_name text collate alphabetical not null check (first_name <> ''),
  last_name text collate alphabetical not null check (last_name <> ''),
  email text not null check (email <> ''),
  dob date,
  -- Names the employee outside the product, where a number could be guessed.
  hash text not null default replace(gen_random_uuid()::text, '-', ''),
  num_sdms text not null default '',
  num_ardms text not null default '',
  num_arrt text not null default '' check (length(num_arrt) <= 8),
  num_cci text not null default '' check (length(num_cci) <= 8),
  num_card_up text not null default '' check (length(num_card_up) <= 8),
  registry_number text collate alphabetical not null default '',
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site
);
create index employee_site on employee (program_id, site_id) where deleted_at is null;
create index employee_import on employee (program_id, import_id) where import_id is not null;
create index employee_name on employee (program_id, lower(last_name), lower(first_name), id) where deleted_at is null;
create index employee_search on employee using gin
  (search_key(first_name || ' ' || last_name || ' ' || email || ' ' || registry_number) gin_trgm_ops) where deleted_at is null;
create trigger touch before update on employee for each row execute function touch();
call protect_by_program('employee');

-- When each person was seen last, kept with the session: a row for each, so that nobody waits for anybody. It only rises.
create table account_seen (
  account_id bigint primary key references account,
  program_id bigint,
  last_seen_at timestamptz not null
);
create index account_seen_program on account_seen (program_id, last_seen_at);
create index account_seen_at on account_seen (last_seen_at);
alter table account_seen enable row level security;

-- How many changes each account has made, counted only where a replica is read: it is asked for the same number before anything is
-- read there, so that people always see their own last change.
create table account_change (
  account_id bigint primary key,
  number bigint not null default 1
) with (fillfactor = 50);
alter table account_change enable row level security;
create policy own on account_change using (account_id = (select current_account()));

-- Where somebody left: what was taken from them then, so that it can be given back.
create table leaving (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null,
  last_day date not null,
  freed_ids bigint[] not null default '{}',
  stopped_ids bigint[] not null default '{}',
  handed_to bigint,
  handed_ids bigint[] not null default '{}',
  made_at timestamptz not null default now(),
  made_by bigint,
  -- When they came back.
  over_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, handed_to) references account (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id)
);
create index leaving_handed on leaving (program_id, handed_to) where handed_to is not null;
create index leaving_open on leaving (program_id, account_id) where over_at is null;
call protect_by_program('leaving');

-- Two accounts of one person become one: what belonged to the second belongs to the first, which can be undone.
create table account_merge (
  program_id bigint not null references program,
  id bigint generated always as identity,
  kept_id bigint not null,
  merged_id bigint not null,
  -- The columns of both accounts that the merge has changed, as they were before, and of the first as it made them.
  kept_before jsonb not null,
  kept_after jsonb not null,
  merged_before jsonb not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  undone_at timestamptz,
  undone_by bigint,
  -- Where both accounts of a merge had a row among the graduates: which row went, and the fields of the other one before and after.
  graduate jsonb,
  -- Approved hours of the account that ended which lay over approved ones of the account that stays: who had decided them, and when.
  reopened jsonb,
  primary key (program_id, id),
  foreign key (program_id, kept_id) references account (program_id, id),
  foreign key (program_id, merged_id) references account (program_id, id)
);
create index account_merge_kept on account_merge (program_id, kept_id);
create index account_merge_merged on account_merge (program_id, merged_id);
call protect_by_program('account_merge');

-- A row that was given to the first account: where it is, by its key as it is now.
create table account_merge_row (
  program_id bigint not null,
  merge_id bigint not null,
  relation text not null,
  of_column text not null,
  key jsonb not null,
  foreign key (program_id, merge_id) references account_merge
);
create index account_merge_row_merge on account_merge_row (program_id, merge_id);
call protect_by_program('account_merge_row');

-- What names a person, besides what is theirs alone: how they sign in here, what waits for them in a browser, and figures kept of other rows.
create view person_reference as
  select c.conrelid::regclass::text as relation, a.attname::text as of_column
  from pg_constraint c
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[array_length(c.conkey, 1)]
  where c.contype = 'f' and c.confrelid = 'account'::regclass
    and exists (select from pg_attribute p where p.attrelid = c.conrelid and p.attname = 'program_id' and not p.attisdropped)
    and c.conrelid::regclass::text <> all (array['account_merge', 'account_seen', 'address_change', 'api_key', 'background_task',
      'calendar_feed', 'email_notice', 'evaluation_digest', 'known_device', 'leaving', 'one_time_token', 'push_choice', 'push_device',
      'session', 'student_hours', 'student_progress', 'student_requirement', 'import_run', 'custom_report', 'custom_report_email'])
  union values ('placement_preference', 'student_id'), ('placement_points', 'student_id');
