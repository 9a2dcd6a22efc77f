-- Rotations, site shifts, assignments and the invariants that hold under racing writers (product 3.4).

create table rotation (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
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
create unique index rotation_name on rotation (program_id, lower(name)) where deleted_at is null;
create index rotation_dates on rotation (program_id, start_date desc, id) where deleted_at is null;
create trigger touch before update on rotation for each row execute function touch();
call protect_by_program('rotation');

create table rotation_level (
  program_id bigint not null,
  rotation_id bigint not null,
  level_id smallint not null,
  primary key (program_id, rotation_id, level_id),
  foreign key (program_id, rotation_id) references rotation on delete cascade,
  foreign key (program_id, level_id) references student_level
);
call protect_by_program('rotation_level');

create table rotation_area (
  program_id bigint not null,
  rotation_id bigint not null,
  area_id bigint not null,
  primary key (program_id, rotation_id, area_id),
  foreign key (program_id, rotation_id) references rotation on delete cascade,
  foreign key (program_id, area_id) references area
);
call protect_by_program('rotation_area');

create table site_shift (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint not null,
  code text not null check (code <> ''),
  name text not null default '',
  type text not null check (type in ('day', 'evening', 'night', 'weekend', 'other')),
  weekdays smallint[] not null check (weekdays <@ '{0,1,2,3,4,5,6}' and cardinality(weekdays) > 0),
  start_time time not null,
  end_time time not null,
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
  check (start_date <= end_date),
  check (start_time <> end_time)
);
create unique index site_shift_code on site_shift (program_id, lower(code)) where deleted_at is null;
create index site_shift_site on site_shift (program_id, site_id) where deleted_at is null;
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
  constraint shift_day_capacity check (placed between 0 and capacity)
);
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
  primary key (program_id, id),
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, site_shift_id) references site_shift,
  foreign key (program_id, site_id) references site,
  foreign key (program_id, student_id) references account (program_id, id),
  check (starts_at < ends_at),
  constraint shift_assignment_overlap exclude using gist (
    program_id with =, student_id with =, tstzrange(starts_at, ends_at) with &&) where (removed_at is null)
    -- Looked at when a statement ends: moving many assignments at once may cross them on the way.
    deferrable initially immediate
);
create index shift_assignment_date on shift_assignment (program_id, date, id) where removed_at is null;
create index shift_assignment_student on shift_assignment (program_id, student_id, date) where removed_at is null;
create index shift_assignment_shift on shift_assignment (program_id, site_shift_id, date) where removed_at is null;
create index shift_assignment_rotation on shift_assignment (program_id, rotation_id, date, id) where removed_at is null;
create index shift_assignment_site on shift_assignment (program_id, site_id, date) where removed_at is null;
create trigger touch before update on shift_assignment for each row execute function touch();
call protect_by_program('shift_assignment');

-- The counter follows the assignments in the same statement, whoever writes them; the check refuses the one too many.
create function count_placed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.removed_at is null
     and (tg_op = 'DELETE' or new.removed_at is not null or (new.site_shift_id, new.date) <> (old.site_shift_id, old.date)) then
    update shift_day set placed = placed - 1
      where program_id = old.program_id and site_shift_id = old.site_shift_id and date = old.date;
  end if;
  if tg_op <> 'DELETE' and new.removed_at is null
     and (tg_op = 'INSERT' or old.removed_at is not null or (new.site_shift_id, new.date) <> (old.site_shift_id, old.date)) then
    insert into shift_day as day (program_id, site_shift_id, date, placed, capacity)
      select new.program_id, new.site_shift_id, new.date, 1, s.capacity from site_shift s
      where s.program_id = new.program_id and s.id = new.site_shift_id
    on conflict (program_id, site_shift_id, date) do update set placed = day.placed + 1;
  end if;
  return null;
end $$;
create trigger count_placed after insert or update of site_shift_id, date, removed_at or delete on shift_assignment
  for each row execute function count_placed();

create table day_off (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  start_date date not null,
  end_date date not null,
  primary key (program_id, id),
  check (start_date <= end_date)
);
create index day_off_dates on day_off (program_id, start_date);
call protect_by_program('day_off');

-- Requirements (compliance) as far as placement asks for them; documents and verification build on these tables.
create table requirement (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  blocks_placement boolean not null default false,
  deleted_at timestamptz,
  primary key (program_id, id)
);
call protect_by_program('requirement');

create table student_requirement (
  program_id bigint not null,
  student_id bigint not null,
  requirement_id bigint not null,
  status text not null check (status in ('missing', 'submitted', 'accepted', 'rejected', 'waived')),
  completed_on date,
  expires_on date,
  primary key (program_id, student_id, requirement_id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, requirement_id) references requirement
);
create index student_requirement_expiry on student_requirement (program_id, expires_on);
call protect_by_program('student_requirement');

-- The secret address under which a calendar program reads a student's shifts; only the hash is kept.
create table calendar_feed (
  program_id bigint not null,
  account_id bigint not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id)
);
call protect_by_program('calendar_feed');
create function find_calendar_feed(hash bytea) returns table (program_id bigint, account_id bigint)
language sql stable security definer set search_path = public as $$
  select f.program_id, f.account_id
  from calendar_feed f
  join account a on a.id = f.account_id and a.deleted_at is null and a.deactivated_at is null
  join program p on p.id = f.program_id and p.deleted_at is null
  where f.token_hash = hash
$$;
