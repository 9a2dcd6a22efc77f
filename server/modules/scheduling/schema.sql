create table rotation (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  start_date date not null,
  end_date date not null,
  target_minutes integer not null default 0 check (target_minutes >= 0),
  cohorts text[] not null default '{}',
  notes text not null default '',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  check (start_date <= end_date)
);
create index rotation_dates on rotation (program_id, start_date desc, id) where deleted_at is null;
create unique index rotation_name on rotation (program_id, lower(name)) where deleted_at is null;
create trigger touch before update on rotation for each row execute function touch();
call protect_by_program('rotation');

create table rotation_level (
  program_id bigint not null,
  rotation_id bigint not null,
  level_id smallint not null,
  primary key (program_id, rotation_id, level_id),
  foreign key (program_id, level_id) references student_level,
  foreign key (program_id, rotation_id) references rotation on delete cascade
);
create index rotation_level_level on rotation_level (program_id, level_id);
call protect_by_program('rotation_level');

create table rotation_area (
  program_id bigint not null,
  rotation_id bigint not null,
  area_id bigint not null,
  primary key (program_id, rotation_id, area_id),
  foreign key (program_id, area_id) references area,
  foreign key (program_id, rotation_id) references rotation on delete cascade
);
call protect_by_program('rotation_area');

create table site_shift (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint not null,
  code text collate alphabetical not null check (code <> ''),
  name text collate alphabetical not null default '',
  type text not null check (type in ('day', 'evening', 'night', 'weekend', 'other')),
  weekdays smallint[] not null check (weekdays <@ '{0,1,2,3,4,5,6}'::smallint[] and cardinality(weekdays) > 0),
  start_time time without time zone not null,
  end_time time without time zone not null,
  capacity integer not null check (capacity between 0 and 10000),
  start_date date not null,
  end_date date not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  check (start_date <= end_date)
);
create index site_shift_site on site_shift (program_id, site_id) where deleted_at is null;
create unique index site_shift_code on site_shift (program_id, lower(code)) where deleted_at is null;
create trigger touch before update on site_shift for each row execute function touch();
call protect_by_program('site_shift');

-- The places of one shift on one day: the counter that racing writers lock, with the capacity it may not pass.
create table shift_day (
  program_id bigint not null,
  site_shift_id bigint not null,
  date date not null,
  placed integer not null default 0,
  capacity integer not null,
  primary key (program_id, site_shift_id, date),
  foreign key (program_id, site_shift_id) references site_shift,
  constraint shift_day_capacity check (placed >= 0 and placed <= capacity)
);
-- Home shows the places that are taken on a day: without the days before and after.
create index shift_day_date on shift_day (program_id, date);
call protect_by_program('shift_day');

create table shift_assignment (
  program_id bigint not null references program,
  id bigint generated always as identity,
  rotation_id bigint not null,
  site_shift_id bigint not null,
  site_id bigint not null,
  student_id bigint not null,
  date date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  removed_at timestamptz,
  removed_by bigint,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  -- Assignments of an import are removed by its undo (interface 6).
  import_id bigint references import_run,
  meal_minutes smallint not null default 0 check (meal_minutes >= 0),
  primary key (program_id, id),
  constraint shift_assignment_overlap exclude using gist (program_id with =, student_id with =, tstzrange(starts_at, ends_at) with &&) where (removed_at is null) deferrable,
  foreign key (program_id, site_id) references site,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, site_shift_id) references site_shift,
  check (starts_at < ends_at)
);
create index shift_assignment_date on shift_assignment (program_id, date, id) where removed_at is null;
create index shift_assignment_shift on shift_assignment (program_id, site_shift_id, date) where removed_at is null;
create index shift_assignment_rotation on shift_assignment (program_id, rotation_id, date, id) where removed_at is null;
create index shift_assignment_site on shift_assignment (program_id, site_id, date) where removed_at is null;
create index shift_assignment_import on shift_assignment (program_id, import_id) where import_id is not null;
create index shift_assignment_hours on shift_assignment (program_id, student_id, date) include (starts_at, ends_at, meal_minutes)
  where removed_at is null;
-- What was taken away lately is told as cancelled.
create index shift_assignment_removed on shift_assignment (program_id, removed_at) where removed_at is not null;
create trigger touch before update on shift_assignment for each row execute function touch();
create trigger count_placed after insert or update of site_shift_id, date, removed_at on shift_assignment
  for each row execute function count_placed();
create trigger keep_sums_new after insert on shift_assignment
  referencing new table as changed for each statement execute function keep_shifts();
create trigger keep_sums_changed after update on shift_assignment
  referencing old table as was new table as changed for each statement execute function keep_shifts();
create trigger zz_end_signups after update on shift_assignment
  referencing old table as was new table as became for each statement execute function end_open_shift_signups();
create trigger zy_end_changes after update on shift_assignment
  referencing old table as was new table as became for each statement execute function end_shift_requests();
create trigger count_shared after insert or update of site_id, date, removed_at on shift_assignment
  for each row execute function count_shared();
create trigger keep_former after update on shift_assignment referencing old table as old_rows new table as new_rows
  for each statement execute function keep_former_assignments();
call protect_by_program('shift_assignment');
call never_delete('shift_assignment');

create table day_off (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  start_date date not null,
  end_date date not null,
  primary key (program_id, id),
  check (start_date <= end_date)
);
create index day_off_dates on day_off (program_id, start_date);
call protect_by_program('day_off');

-- The secret address under which a calendar program reads a student's shifts; only the hash is kept.
create table calendar_feed (
  program_id bigint not null,
  account_id bigint not null references account,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- Whether a calendar program still comes by, said to the owner of the address.
  last_read_at timestamptz,
  primary key (program_id, account_id)
);
create index calendar_feed_account on calendar_feed (account_id);
call protect_by_program('calendar_feed');

create table personal_filter (
  account_id bigint primary key references account,
  is_student_enabled boolean not null default false,
  is_site_enabled boolean not null default false,
  is_shift_enabled boolean not null default false,
  student_ids bigint[] not null default '{}',
  site_ids bigint[] not null default '{}',
  shift_ids bigint[] not null default '{}'
);

-- What an assignment was before it became another student's or that of another shift or day: the calendars that had it tell that it is cancelled.
create table former_assignment (
  program_id bigint not null,
  assignment_id bigint not null,
  rotation_id bigint not null,
  site_shift_id bigint not null,
  site_id bigint not null,
  student_id bigint not null,
  date date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  left_at timestamptz not null default now(),
  primary key (program_id, assignment_id, student_id, site_shift_id, date),
  foreign key (program_id, assignment_id) references shift_assignment on delete cascade
);
create index former_assignment_left on former_assignment (program_id, left_at);
call protect_by_program('former_assignment');
revoke insert, update, delete on former_assignment from app;
