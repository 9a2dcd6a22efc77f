-- What belongs to the installation: colleges, programs, accounts, sessions, the audit, and the rule of tenancy.

create extension if not exists pg_trgm;
create extension if not exists btree_gist;

-- The program that the running transaction works on. Policies compare with (select current_program()): an equality with a
-- value asked once a statement. The statements name their program too, and the planner joins both into one condition that
-- an index answers, with a check of one value before the first row. After a commit a setting reads ''.
create function current_program() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.program', true), '')::bigint
$$;
-- The programs whose people, mail, files, imports and audit it may see: that one, or all for a super admin's overview.
create function allowed_programs() returns bigint[] language sql stable parallel safe as $$
  select string_to_array(nullif(current_setting('app.programs', true), ''), ',')::bigint[]
$$;
create function current_account() returns bigint language sql stable parallel safe as $$
  select nullif(current_setting('app.account', true), '')::bigint
$$;

-- Every table of a program's data gets its policy through this one function.
create procedure protect_by_program(name text) language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format(
    'create policy program on %I using (program_id = (select current_program()))', name);
end $$;

create function touch() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  new.updated_by := coalesce(current_account(), new.updated_by);
  return new;
end $$;

create table setting (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

create table college (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  ipeds_id text,
  address text not null default '',
  city text not null default '',
  state text not null default '',
  zip text not null default '',
  phone text not null default '',
  website text not null default '',
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  import_id bigint,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
create unique index college_ipeds on college (ipeds_id) where deleted_at is null;
create index college_name on college (lower(name), id) where deleted_at is null;
create index college_search on college using gin ((name || ' ' || city || ' ' || state) gin_trgm_ops) where deleted_at is null;
create index college_import on college (import_id) where import_id is not null;

create table modality (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  deleted_at timestamptz
);
create unique index modality_name on modality (lower(name)) where deleted_at is null;

create table program_class (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  value text not null default '',
  is_default boolean not null default false,
  deleted_at timestamptz
);
create unique index program_class_name on program_class (lower(name)) where deleted_at is null;

create table program_type (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  deleted_at timestamptz
);
create unique index program_type_name on program_type (lower(name)) where deleted_at is null;

create table language_profile (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  deleted_at timestamptz
);
create unique index language_profile_name on language_profile (lower(name)) where deleted_at is null;

create table language_entry (
  profile_id bigint not null references language_profile,
  key_id smallint not null,
  value text not null check (value <> ''),
  singular text not null default '',
  plural text not null default 's',
  primary key (profile_id, key_id)
);

create table program (
  id bigint generated always as identity primary key,
  college_id bigint not null references college,
  name text not null check (name <> ''),
  modality_id bigint references modality,
  program_class_id bigint references program_class,
  program_type_id bigint references program_type,
  language_profile_id bigint references language_profile,
  state text not null default '',
  time_zone text not null default 'America/New_York',
  has_credit boolean not null default false,
  requires_totp boolean not null default false,
  is_payment_enabled boolean not null default false,
  active_from date,
  active_through date,
  is_menu_visible boolean not null default true,
  options jsonb not null default '{}',
  registration_token text unique,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  check (active_from is null or active_through is null or active_from <= active_through)
);
create index program_college on program (college_id) where deleted_at is null;
create unique index program_name on program (college_id, lower(name)) where deleted_at is null;

create table student_level (
  program_id bigint not null references program,
  id smallint not null check (id between 1 and 20),
  name text not null check (name <> '' and position(',' in name) = 0),
  primary key (program_id, id)
);

create table area (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  is_active boolean not null default true,
  are_notifications_enabled boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create unique index area_name on area (program_id, lower(name)) where deleted_at is null;

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
  first_name text not null default '',
  middle_name text not null default '',
  last_name text not null default '',
  suffix text not null default '',
  institution text not null default '',
  zip text not null default '',
  phone text not null default '',
  student_number text,
  student_level_id smallint,
  cohort text,
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
  unique (program_id, id),
  foreign key (program_id, area_id) references area,
  foreign key (program_id, student_level_id) references student_level,
  check (program_id is not null or access_level = 100)
);
create unique index account_user_name on account (lower(user_name));
create index account_email on account (lower(email)) where deleted_at is null;
create index account_list on account (program_id, access_level, lower(last_name), lower(first_name), id) where deleted_at is null;
create index account_name on account (program_id, lower(last_name), lower(first_name), id) where deleted_at is null;
create index account_search on account using gin ((first_name || ' ' || last_name || ' ' || user_name || ' ' || email || ' ' || coalesce(student_number, '')) gin_trgm_ops) where deleted_at is null;
create index account_area on account (program_id, area_id) where area_id is not null;
create index account_import on account (program_id, import_id) where import_id is not null;
-- Not unique: two students may share an ID after somebody has confirmed it (product 3.1).
create index account_student_number on account (program_id, student_number)
  where student_number is not null and deleted_at is null and access_level = 39;
alter table account enable row level security;
-- One comparison answers nearly every row. A plain "or" the planner would take apart into a union of three index scans.
create policy program on account using (case when program_id = (select current_program()) then true
  else program_id = any ((select allowed_programs())::bigint[]) or id = (select current_account())
    or (program_id is null and (select current_setting('app.super', true)) = 'on') end);
create trigger touch before update on account for each row execute function touch();

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
  ended_at timestamptz
);
create index session_account on session (account_id) where ended_at is null;
create index session_last_seen on session (last_seen_at) where ended_at is null;

-- Counts of attempts in a window; the row is written in a transaction of its own, so a failed attempt always counts.
create table throttle (
  key text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);

-- One-time links and codes by mail; only hashes are kept.
create table one_time_token (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('password_reset', 'magic_link', 'email_confirmation')),
  token_hash bytea not null unique,
  code_hash bytea,
  account_id bigint references account,
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_token_account on one_time_token (account_id, kind);

-- The same key gives the same answer and one effect, on any process (quality 3).
create table idempotency_key (
  account_id bigint not null references account,
  key text not null,
  endpoint text not null,
  request_hash bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);

-- Who did or saw what, on whose record, when and from where. The role "app" may add and read, nothing else.
create table audit (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  program_id bigint,
  account_id bigint,
  action text not null,
  subject_id bigint,
  detail jsonb,
  address inet,
  primary key (id)
);
create index audit_program on audit (program_id, at desc, id desc);
create index audit_subject on audit (program_id, subject_id, at desc) where subject_id is not null;
alter table audit enable row level security;
create policy add on audit for insert with check (true);
create policy read on audit for select using (
  program_id = any ((select allowed_programs())::bigint[]) or account_id = (select current_account())
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));

-- Look-ups that come before a tenant is known. Each answers exactly one question and no more.
create function find_session(hash bytea) returns table (
  session_id bigint, csrf_token text, account_id bigint, session_college_id bigint, session_program_id bigint,
  template_id bigint, is_program_menu_enabled boolean, is_admin_menu_semi_hidden boolean,
  created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz,
  program_id bigint, user_name text, access_level smallint, super_admin_areas integer, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text,
  program_name text, college_name text, time_zone text, idle_minutes integer, is_anti_forgery_enabled boolean
) language sql stable security definer set search_path = public as $$
  select s.id, s.csrf_token, a.id, coalesce(s.college_id, p.college_id), coalesce(s.program_id, a.program_id),
    s.template_id, s.is_program_menu_enabled, s.is_admin_menu_semi_hidden, s.created_at, s.last_seen_at, s.expires_at,
    a.program_id, a.user_name, a.access_level, a.super_admin_areas, a.is_demo, a.email, a.is_email_confirmed,
    a.first_name, a.last_name, p.name, c.name, coalesce(p.time_zone, 'America/New_York'),
    coalesce((p.options ->> 'SessionIdleMinutes')::integer, 60),
    coalesce((select value <> 'false' from setting where setting.name = 'EnableAntiForgery'), true)
  from session s
  join account a on a.id = s.account_id and a.deleted_at is null and a.deactivated_at is null
  left join program p on p.id = a.program_id
  left join college c on c.id = p.college_id
  where s.token_hash = hash and s.ended_at is null and s.expires_at > now()
    and (a.program_id is null or p.deleted_at is null)
$$;
create function find_login(wanted text) returns table (
  account_id bigint, program_id bigint, password_hash text, access_level smallint, totp_secret text,
  totp_last_step bigint, is_active boolean, requires_totp boolean
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.password_hash, a.access_level, a.totp_secret, a.totp_last_step,
    a.deactivated_at is null and a.deleted_at is null and (a.program_id is null or p.deleted_at is null),
    coalesce(p.requires_totp, false)
  from account a left join program p on p.id = a.program_id
  where lower(a.user_name) = lower(wanted)
$$;
create function find_accounts_by_email(wanted text) returns table (
  account_id bigint, program_id bigint, user_name text, email text, is_email_confirmed boolean, program_name text,
  college_name text, access_level smallint
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, a.email, a.is_email_confirmed, p.name, c.name, a.access_level
  from account a left join program p on p.id = a.program_id left join college c on c.id = p.college_id
  where lower(a.email) = lower(wanted) and wanted <> '' and a.deleted_at is null and a.deactivated_at is null
    and (a.program_id is null or p.deleted_at is null)
  order by p.name nulls first, a.user_name
$$;
create function find_account_by_user_name(wanted text) returns table (
  account_id bigint, program_id bigint, user_name text, email text, is_email_confirmed boolean, program_name text,
  college_name text, access_level smallint
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, a.email, a.is_email_confirmed, p.name, c.name, a.access_level
  from account a left join program p on p.id = a.program_id left join college c on c.id = p.college_id
  where lower(a.user_name) = lower(wanted) and a.email <> '' and a.deleted_at is null and a.deactivated_at is null
    and (a.program_id is null or p.deleted_at is null)
$$;
create function use_reset_token(hash bytea) returns table (account_id bigint, program_id bigint, user_name text)
  language sql security definer set search_path = public as $$
  with used as (
    update one_time_token set used_at = now()
    where token_hash = hash and kind = 'password_reset' and used_at is null and expires_at > now()
    returning one_time_token.account_id)
  select a.id, a.program_id, a.user_name from used join account a on a.id = used.account_id
  where a.deleted_at is null and a.deactivated_at is null
$$;
create function is_user_name_taken(wanted text) returns boolean language sql stable security definer
  set search_path = public as $$ select exists (select from account where lower(user_name) = lower(wanted)) $$;
create function set_password(of_account bigint, hash text) returns void language sql security definer
  set search_path = public as $$
  update account set password_hash = hash, password_changed_at = now() where id = of_account
$$;
create function installation_counts() returns table (daily_users bigint, total_students bigint)
  language sql stable security definer set search_path = public as $$
  select (select count(distinct account_id) from session where ended_at is null and last_seen_at > now() - interval '15 minutes'),
    (select count(*) from account a join program p on p.id = a.program_id and p.deleted_at is null
     where a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null)
$$;

-- Imports: what a run made or changed, so that it can be undone.
create table import_run (
  id bigint generated always as identity primary key,
  program_id bigint references program,
  kind text not null,
  file_name text not null default '',
  row_count integer not null,
  added integer not null,
  changed integer not null,
  unchanged integer not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  undone_at timestamptz
);
create index import_run_program on import_run (program_id, created_at desc);
alter table import_run enable row level security;
create policy program on import_run using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));

-- The values before an import changed a row: what undo puts back.
create table import_change (
  import_id bigint not null references import_run,
  entity_id bigint not null,
  before jsonb not null,
  primary key (import_id, entity_id)
);

-- Files: bytes lie in the file store under a random name; this is their register.
create table stored_file (
  id bigint generated always as identity primary key,
  program_id bigint references program,
  store_key text not null unique,
  name text not null,
  media_type text not null,
  byte_count bigint not null,
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  created_by bigint
);
alter table stored_file enable row level security;
create policy program on stored_file using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));

revoke update, delete, truncate on audit from app;
