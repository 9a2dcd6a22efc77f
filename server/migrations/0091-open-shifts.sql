-- Open shifts: places on a shift and day that students sign up for themselves, with a waiting list that moves up.
create table open_shift (
  program_id bigint not null references program,
  id bigint generated always as identity,
  rotation_id bigint not null,
  site_shift_id bigint not null,
  date date not null,
  -- The student levels that may sign up; empty means all whom the rotation takes.
  level_ids smallint[] not null default '{}',
  places integer not null check (places between 1 and 1000),
  taken integer not null default 0,
  waiting integer not null default 0 check (waiting >= 0),
  note text not null default '',
  closes_at timestamptz not null,
  -- Closed by staff; it also ends by itself at closes_at.
  closed_at timestamptz,
  closed_by bigint,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, site_shift_id) references site_shift,
  -- The counter that racing students lock.
  constraint open_shift_places check (taken between 0 and places)
);
create unique index open_shift_once on open_shift (program_id, site_shift_id, date, rotation_id) where closed_at is null;
create index open_shift_date on open_shift (program_id, date, id);
create index open_shift_waiting on open_shift (program_id, id) where waiting > 0;
create trigger touch before update on open_shift for each row execute function touch();
call protect_by_program('open_shift');

create table open_shift_signup (
  program_id bigint not null,
  id bigint generated always as identity,
  open_shift_id bigint not null,
  student_id bigint not null,
  state text not null check (state in ('placed', 'waiting', 'ended')),
  assignment_id bigint,
  -- Why a waiting student could not move up when a place was free.
  hindrance text not null default '',
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_as text check (ended_as in ('dropped', 'removed', 'left', 'closed')),
  primary key (program_id, id),
  foreign key (program_id, open_shift_id) references open_shift,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, assignment_id) references shift_assignment,
  check ((state = 'ended') = (ended_as is not null)),
  check (state <> 'placed' or assignment_id is not null)
);
create unique index open_shift_signup_once on open_shift_signup (program_id, open_shift_id, student_id) where state <> 'ended';
create index open_shift_signup_student on open_shift_signup (program_id, student_id, id);
create index open_shift_signup_list on open_shift_signup (program_id, open_shift_id, id);
create unique index open_shift_signup_assignment on open_shift_signup (program_id, assignment_id) where state = 'placed';
call protect_by_program('open_shift_signup');

-- Whoever takes a student off the shift, by hand, import or drop: her place is free again. Old and new rows are grouped, not
-- joined, as in note_time_update. The counters of the days are locked already, so the open shift is locked after them.
create function end_open_shift_signups() returns trigger language plpgsql security definer set search_path = public as $$
begin
  with changed as (
    select r.program_id, r.id from (
      select program_id, id, student_id, site_shift_id, date, removed_at from was
      union all select program_id, id, student_id, site_shift_id, date, removed_at from became) r
    group by r.program_id, r.id
    having count(r.removed_at) > 0 or min(r.student_id) <> max(r.student_id) or min(r.site_shift_id) <> max(r.site_shift_id)
      or min(r.date) <> max(r.date)),
  ended as (
    update open_shift_signup s set state = 'ended', ended_as = 'removed', ended_at = now()
    from changed c where s.program_id = c.program_id and s.assignment_id = c.id and s.state = 'placed'
    returning s.program_id, s.open_shift_id),
  counted as (select program_id, open_shift_id, count(*) as ended from ended group by 1, 2 order by 1, 2)
  update open_shift o set taken = o.taken - c.ended
  from counted c where o.program_id = c.program_id and o.id = c.open_shift_id;
  return null;
end $$;
create trigger zz_end_signups after update on shift_assignment
  referencing old table as was new table as became for each statement execute function end_open_shift_signups();

-- Programs with a waiting list, for the job that looks through all of them.
create function find_programs_with_waiting_lists() returns table (program_id bigint)
language sql stable security definer set search_path = public as $$
  select distinct o.program_id from open_shift o where o.waiting > 0
$$;

call add_mail_template('SHIFT_open',
  '<p><strong>Open shifts.</strong> Tells students about shifts that they can sign up for, when staff choose to announce them.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>You can sign up for:</p>{{change.list}}<p>Places go to whoever signs up first.</p><p><a href="{{link}}">See open shifts</a></p>');
