-- Safety: readings of dosimeters, declarations of pregnancy, reports of incidents and exposures.
create table dose_reading (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  badge text not null default '',
  from_date date not null,
  through_date date not null,
  -- In mrem; null where the vendor gives none. Below what the badge can measure is 0.
  deep integer check (deep >= 0),
  lens integer check (lens >= 0),
  shallow integer check (shallow >= 0),
  acknowledged_at timestamptz,
  -- A reading at or above the program's limit is looked at.
  is_over boolean not null default false,
  reviewed_at timestamptz,
  reviewed_by bigint,
  review_note text not null default '',
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  check (through_date >= from_date),
  check ((reviewed_at is null) = (review_note = ''))
);
create unique index dose_reading_once on dose_reading (program_id, student_id, from_date, through_date, lower(badge)) where deleted_at is null;
create index dose_reading_newest on dose_reading (program_id, through_date desc, id desc) where deleted_at is null;
create index dose_reading_open on dose_reading (program_id, id) where is_over and reviewed_at is null and deleted_at is null;
create index dose_reading_import on dose_reading (program_id, import_id) where import_id is not null;
-- Readings that their students have not read yet are few, among the many of years.
create index dose_reading_unread on dose_reading (program_id, through_date desc, id desc)
  where acknowledged_at is null and deleted_at is null;
create trigger touch before update on dose_reading for each row execute function touch();
call protect_by_program('dose_reading');

-- Voluntary and in writing (10 CFR 20.1208); seen by the director and the radiation safety officer alone. Changes no schedule by itself.
create table pregnancy_declaration (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  conceived_on date not null,
  text text not null,
  signed_name text not null,
  signed_from text not null,
  signed_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  withdrawal_name text not null default '',
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  check ((withdrawn_at is null) = (withdrawal_name = ''))
);
create unique index pregnancy_declaration_open on pregnancy_declaration (program_id, student_id) where withdrawn_at is null;
create index pregnancy_declaration_newest on pregnancy_declaration (program_id, id desc);
call protect_by_program('pregnancy_declaration');

-- Who sees declarations besides the director.
create table radiation_officer (
  program_id bigint not null references program,
  account_id bigint not null,
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id)
);
call protect_by_program('radiation_officer');

create table incident_report (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  kind text not null check (kind in ('sharps', 'bodyFluid', 'radiation', 'injury', 'patient', 'equipment', 'other')),
  occurred_on date not null,
  site_id bigint,
  description text not null check (description <> ''),
  action_taken text not null default '',
  told text not null default '',
  state text not null default 'open' check (state in ('open', 'closed')),
  follow_up text not null default '',
  closed_at timestamptz,
  closed_by bigint,
  key uuid not null,
  created_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, student_id) references account (program_id, id),
  check ((state = 'closed') = (closed_at is not null)),
  check (state = 'open' or follow_up <> '')
);
create unique index incident_report_key on incident_report (program_id, student_id, key);
create index incident_report_newest on incident_report (program_id, state, id desc);
call protect_by_program('incident_report');
