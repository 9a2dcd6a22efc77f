create table time_record (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  site_id bigint,
  kind text not null check (kind in ('in', 'out', 'exception', 'absence', 'makeup')),
  -- The moment that counts and its calendar day where the site is. For exceptions and makeup: their begin.
  occurred_at timestamptz not null,
  date date not null,
  -- The end of an exception or makeup.
  ends_at timestamptz,
  received_at timestamptz not null default now(),
  source text not null default 'server' check (source in ('server', 'offline', 'self', 'staff', 'import')),
  assignment_id bigint,
  rotation_id bigint,
  -- The other half of a clock-in or clock-out. A pair's minutes stand on the clock-out.
  partner_id bigint,
  is_matched boolean generated always as ((kind not in ('in', 'out')) or partner_id is not null) stored not null,
  minutes integer not null default 0 check (minutes >= 0),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  -- 1 Clean, 2 Need Review, 3 Careful Review (specification 3 §2). Unmatched is partner_id null on in and out.
  insight smallint not null default 1 check (insight in (1, 2, 3)),
  reasons jsonb not null default '[]',
  latitude double precision,
  longitude double precision,
  accuracy_m integer,
  distance_m integer,
  is_inside boolean,
  address inet,
  network_name text,
  shift_type text,
  offset_minutes integer,
  reason text not null default '',
  change_to timestamptz,
  change_reason text,
  change_status text check (change_status in ('asked', 'accepted', 'refused')),
  decided_at timestamptz,
  decided_by bigint,
  decision_reason text,
  mailed_at timestamptz,
  -- The old values of an edited record, newest last: [{At, By, OccurredAt, SiteId, Reason}].
  history jsonb not null default '[]',
  idempotency_key text,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  -- What was told with the key of a punch, as a fingerprint: the same key with another punch is refused.
  request_hash bytea,
  clock_minutes integer check (clock_minutes >= 0),
  meal_minutes smallint not null default 0 check (meal_minutes >= 0),
  -- The moment of the approval together with which a time change was decided: undoing that asks for the change again.
  change_decided_with timestamptz,
  -- A student asks that a clock-in be taken back, as `change_status` asks for another time; and by which key they took one back, so that
  -- a repeat from a device's queue counts once.
  change_is_removal boolean not null default false,
  back_key text,
  -- Decisions that no longer hold, the newest last: [{At, By, Status, IsTakenBack, Reason, UndoneAt, UndoneBy}]. Of one
  -- that another took the place of, UndoneAt and UndoneBy are null. Written by a trigger.
  decisions jsonb not null default '[]',
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, partner_id) references time_record deferrable,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, assignment_id) references shift_assignment
);
create unique index time_record_key on time_record (program_id, student_id, idempotency_key) where idempotency_key is not null;
create index time_record_pending_date on time_record (program_id, occurred_at desc, id desc)
  where status = 'pending' and deleted_at is null;
create index time_record_student on time_record (program_id, student_id, occurred_at desc, id desc) where deleted_at is null;
create index time_record_site on time_record (program_id, site_id, occurred_at desc, id desc) where deleted_at is null;
create index time_record_unmatched on time_record (program_id, occurred_at desc, id desc)
  where partner_id is null and kind in ('in', 'out') and deleted_at is null and status <> 'rejected';
create index time_record_assignment on time_record (program_id, assignment_id) where assignment_id is not null;
create index time_record_partner on time_record (program_id, partner_id) where partner_id is not null;
create index time_record_makeup on time_record (program_id, student_id, occurred_at)
  where kind = 'makeup' and status = 'pending' and deleted_at is null;
create index time_record_absence on time_record (program_id, rotation_id, student_id)
  where kind = 'absence' and deleted_at is null and status <> 'rejected';
-- Weeks of days that are not kept are summed from this index alone, also those of a rotation or of a kind.
create index time_record_weeks on time_record (program_id, date) include (minutes, status, kind, rotation_id)
  where deleted_at is null and is_matched and minutes > 0 and kind <> 'absence' and status <> 'rejected';
-- Undo finds what one person decided in one go.
create index time_record_decided on time_record (program_id, decided_by, decided_at) where decided_at is not null;
-- What the job that forgets positions looks for.
create index time_record_position on time_record (program_id, occurred_at)
  where latitude is not null or distance_m is not null or address is not null;
create index time_record_pending on time_record (program_id, insight, occurred_at desc, id desc)
  include (partner_id, is_matched, minutes, kind) where status = 'pending' and deleted_at is null;
-- The hours that wait at a supervisor's sites: a few dozen of thousands that were ever recorded there.
create index time_record_pending_site on time_record (program_id, site_id) where deleted_at is null and status = 'pending';
-- Records for which a time change waits: few, and left out of what can be approved together.
create index time_record_asked on time_record (program_id) include (id, partner_id)
  where change_status = 'asked' and deleted_at is null;
create index time_record_list on time_record (program_id, occurred_at desc, id desc) include (status) where deleted_at is null;
create index time_record_back_key on time_record (program_id, student_id, back_key) where back_key is not null;
-- What was deleted, newest first, where there is much of it.
create index time_record_deleted on time_record (program_id, deleted_at) where deleted_at is not null;
-- Records that were edited: few of many, found by who edited them and when.
create index time_record_edited on time_record (program_id, occurred_at desc, id desc) where history <> '[]' and deleted_at is null;
-- One open clock-in a student at a time is the rule of the clock: punches lock the student's account (time module).
create trigger touch before update on time_record for each row execute function touch();
create trigger keep_decision before update on time_record for each row
  when (old.decided_at is not null and new.decided_at is distinct from old.decided_at) execute function keep_decision();
-- Punches, of which there are many at once, are told by the process that kept them, after their commit.
create trigger tell after insert on time_record
  for each row when (new.idempotency_key is null) execute function tell('time-records');
create trigger keep_sums_new after insert on time_record
  referencing new table as changed for each statement execute function keep_records();
create trigger keep_sums_changed after update on time_record
  referencing old table as was new table as changed for each statement execute function keep_records();
call protect_by_program('time_record');
call never_delete('time_record');

-- Time of a student in a rotation (0: outside any), kept in place by the statements that change it: a student's time has one writer at a
-- time, so nobody else waits.
create table student_hours (
  program_id bigint not null references program,
  student_id bigint not null,
  rotation_id bigint not null default 0,
  approved_minutes integer not null default 0,
  pending_minutes integer not null default 0,
  absence_minutes integer not null default 0,
  makeup_minutes integer not null default 0,
  -- Records that count, and shifts.
  records integer not null default 0,
  shifts integer not null default 0,
  planned_minutes integer not null default 0,
  -- Of the shifts, those that had ended at the moment of `plan_until`.
  past_shifts integer not null default 0,
  past_minutes integer not null default 0,
  primary key (program_id, student_id, rotation_id),
  foreign key (program_id, student_id) references account (program_id, id)
);
-- The hours of everybody in one rotation.
create index student_hours_rotation on student_hours (program_id, rotation_id);
call protect_by_program('student_hours');

-- What was reminded of already, so that a job that runs twice writes once.
create table punch_reminder (
  program_id bigint not null,
  assignment_id bigint not null,
  sent_at timestamptz not null default now(),
  primary key (program_id, assignment_id),
  foreign key (program_id, assignment_id) references shift_assignment
);
call protect_by_program('punch_reminder');

-- What a day came to, kept once it is over (three days later): home adds days up in place of counting records.
create table attendance_day (
  program_id bigint not null references program,
  date date not null,
  shifts integer not null,
  planned_minutes integer not null,
  approved_minutes integer not null,
  pending_minutes integer not null,
  absence_minutes integer not null,
  absences integer not null,
  late integer not null,
  missed integer not null,
  -- Its shifts that nobody recorded: the list of missed records reads them in place of looking for the records of every shift.
  missed_shifts bigint[] not null,
  primary key (program_id, date)
);
call protect_by_program('attendance_day');

-- Records that count and planned shifts, by student, rotation, site and month, kept in place as `student_hours` is. A row whose records have
-- all gone stays with zeros.
create table time_sum (
  program_id bigint not null references program,
  student_id bigint not null,
  -- 0 outside any rotation.
  rotation_id bigint not null,
  -- 0 without a site.
  site_id bigint not null,
  -- Its first day.
  month date not null,
  kind text not null check (kind in ('out', 'exception', 'makeup', 'absence', 'planned')),
  -- Records, or shifts where they are planned.
  records integer not null,
  minutes integer not null,
  -- Of the minutes, those that nobody has approved yet.
  pending_minutes integer not null,
  primary key (program_id, student_id, rotation_id, site_id, month, kind)
);
create index time_sum_site on time_sum (program_id, site_id);
call protect_by_program('time_sum');

-- Up to when shifts that have ended are counted as past: only those since then are looked at when somebody asks what is still ahead.
create table plan_until (
  program_id bigint primary key references program,
  until timestamptz not null
);
call protect_by_program('plan_until');

-- What a statement has changed, rows that stay as they were left out: how many records of a kind there are more, or fewer.
create type record_change as (program_id bigint, student_id bigint, rotation_id bigint, site_id bigint, date date, kind text,
  minutes integer, status text, is_matched boolean, records bigint);

-- As above, for shifts.
create type shift_change as (program_id bigint, student_id bigint, rotation_id bigint, site_id bigint, date date,
  ends_at timestamptz, minutes integer, shifts bigint);

-- The hours of a student in a rotation and what they will come to, as of the moment of `event_seen`. Students without access have no row.
create table rotation_student (
  program_id bigint not null references program,
  student_id bigint not null,
  rotation_id bigint not null,
  approved_minutes integer not null,
  projected_minutes integer not null,
  primary key (program_id, student_id, rotation_id)
);
-- What they come to is added up from this index alone.
create index rotation_student_rotation on rotation_student (program_id, rotation_id) include (student_id, approved_minutes, projected_minutes);
call protect_by_program('rotation_student');

-- The shifts around today with what their records say, kept as the hours of rotations are: home reads the rows of its day, and
-- looks for the records of those shifts alone that something has happened to since the moment of `event_seen`.
create table shift_kept (
  program_id bigint not null references program,
  assignment_id bigint not null,
  date date not null,
  student_id bigint not null,
  site_shift_id bigint not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Somebody is clocked in and has not left; null without a clock-in.
  is_open boolean,
  -- It was left or excused.
  is_over boolean not null,
  -- One of its records speaks for it, so that it is not missed.
  is_recorded boolean not null,
  primary key (program_id, assignment_id)
);
create index shift_kept_date on shift_kept (program_id, date);
call protect_by_program('shift_kept');
