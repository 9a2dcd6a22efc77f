-- Clock records, their insight and approval, and the sums of hours kept in the same transaction (product 3.5).

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
  is_matched boolean not null generated always as (kind not in ('in', 'out') or partner_id is not null) stored,
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
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, assignment_id) references shift_assignment,
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, partner_id) references time_record deferrable
);
create unique index time_record_key on time_record (program_id, student_id, idempotency_key) where idempotency_key is not null;
-- Counts and sums of the insight tabs come from this index alone.
create index time_record_pending on time_record (program_id, insight, occurred_at desc, id desc)
  include (is_matched, minutes) where status = 'pending' and deleted_at is null;
create index time_record_pending_date on time_record (program_id, occurred_at desc, id desc)
  where status = 'pending' and deleted_at is null;
create index time_record_list on time_record (program_id, occurred_at desc, id desc) where deleted_at is null;
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
-- The weeks of the home page are summed from this index alone.
create index time_record_weeks on time_record (program_id, date) include (minutes, status)
  where deleted_at is null and is_matched and minutes > 0 and kind <> 'absence' and status <> 'rejected';
-- Undo finds what one person decided in one go.
create index time_record_decided on time_record (program_id, decided_by, decided_at) where decided_at is not null;
-- What the job that forgets positions looks for.
create index time_record_position on time_record (program_id, occurred_at)
  where latitude is not null or distance_m is not null or address is not null;
-- Which sites are near a position.
create index site_position on site (program_id, latitude) where deleted_at is null;
-- One open clock-in a student at a time is the rule of the clock: punches lock the student's account (time module).
create trigger touch before update on time_record for each row execute function touch();
call protect_by_program('time_record');

-- Minutes per student and rotation (0 = outside any rotation), kept by the trigger below.
create table student_hours (
  program_id bigint not null references program,
  student_id bigint not null,
  rotation_id bigint not null default 0,
  approved_minutes integer not null default 0,
  pending_minutes integer not null default 0,
  absence_minutes integer not null default 0,
  makeup_minutes integer not null default 0,
  primary key (program_id, student_id, rotation_id),
  foreign key (program_id, student_id) references account (program_id, id)
);
call protect_by_program('student_hours');

-- What a record adds to the sums: hours of a matched clock-out, an exception or makeup; absences count as owed.
create function add_hours(r time_record, sign integer) returns void language plpgsql as $$
begin
  if r.deleted_at is not null or r.status = 'rejected' or r.minutes = 0 then return; end if;
  if r.kind = 'in' or (r.kind = 'out' and r.partner_id is null) then return; end if;
  insert into student_hours as h (program_id, student_id, rotation_id, approved_minutes, pending_minutes, absence_minutes, makeup_minutes)
  values (r.program_id, r.student_id, coalesce(r.rotation_id, 0),
    case when r.kind <> 'absence' and r.status = 'approved' then sign * r.minutes else 0 end,
    case when r.kind <> 'absence' and r.status = 'pending' then sign * r.minutes else 0 end,
    case when r.kind = 'absence' then sign * r.minutes else 0 end,
    case when r.kind = 'makeup' then sign * r.minutes else 0 end)
  on conflict (program_id, student_id, rotation_id) do update set
    approved_minutes = h.approved_minutes + excluded.approved_minutes,
    pending_minutes = h.pending_minutes + excluded.pending_minutes,
    absence_minutes = h.absence_minutes + excluded.absence_minutes,
    makeup_minutes = h.makeup_minutes + excluded.makeup_minutes;
end $$;
create function keep_hours() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform add_hours(old, -1); end if;
  if tg_op <> 'DELETE' then perform add_hours(new, 1); end if;
  return null;
end $$;
create trigger keep_hours after insert or delete or update of minutes, status, partner_id, rotation_id, kind, deleted_at
  on time_record for each row execute function keep_hours();
