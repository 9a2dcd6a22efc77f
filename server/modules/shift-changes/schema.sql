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
  constraint open_shift_places check (taken >= 0 and taken <= places)
);
create unique index open_shift_once on open_shift (program_id, site_shift_id, date, rotation_id) where closed_at is null;
create index open_shift_date on open_shift (program_id, date, id);
create index open_shift_waiting on open_shift (program_id, id) where waiting > 0;
create trigger touch before update on open_shift for each row execute function touch();
-- Staff who look at open shifts see them fill up, by hand, by sign-up or by a waiting list.
create trigger tell after insert or update on open_shift for each row execute function tell('open-shifts');
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
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, assignment_id) references shift_assignment,
  foreign key (program_id, open_shift_id) references open_shift,
  check ((state = 'ended') = (ended_as is not null)),
  check (state <> 'placed' or assignment_id is not null)
);
create unique index open_shift_signup_once on open_shift_signup (program_id, open_shift_id, student_id) where state <> 'ended';
create index open_shift_signup_student on open_shift_signup (program_id, student_id, id);
create index open_shift_signup_list on open_shift_signup (program_id, open_shift_id, id);
create unique index open_shift_signup_assignment on open_shift_signup (program_id, assignment_id) where state = 'placed';
call protect_by_program('open_shift_signup');

-- Swaps, covers and late drops: nothing about the assignments changes until a change is final, and then everything at once.
create table shift_request (
  program_id bigint not null references program,
  id bigint generated always as identity,
  kind text not null check (kind in ('cover', 'swap', 'drop')),
  -- What is given, and by whom.
  assignment_id bigint not null,
  student_id bigint not null,
  -- Offered to everyone who could take it, or to some. A drop is offered to nobody.
  is_to_all boolean not null,
  note text not null default '',
  -- open: nobody has taken it; pending: it waits for approval.
  state text not null check (state in ('open', 'pending', 'done', 'declined', 'canceled', 'failed', 'expired')),
  taker_id bigint,
  -- What the taker gives in return.
  returned_id bigint,
  approval text not null check (approval in ('staff', 'site', 'none')),
  -- Why it was declined or failed.
  reason text not null default '',
  -- The given shift as it was offered, for the history.
  line text not null,
  returned_line text not null default '',
  -- The start of the first of the shifts: then it is over.
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  taken_at timestamptz,
  decided_at timestamptz,
  decided_by bigint,
  primary key (program_id, id),
  foreign key (program_id, taker_id) references account (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, returned_id) references shift_assignment,
  foreign key (program_id, assignment_id) references shift_assignment
);
-- A shift is given once, and given in return once.
create unique index shift_request_given on shift_request (program_id, assignment_id) where state in ('open', 'pending');
create unique index shift_request_returned on shift_request (program_id, returned_id) where state = 'pending';
create index shift_request_state on shift_request (program_id, state, id);
create index shift_request_expiry on shift_request (program_id, expires_at) where state in ('open', 'pending');
create index shift_request_student on shift_request (program_id, student_id, id);
create index shift_request_taker on shift_request (program_id, taker_id, id) where taker_id is not null;
call protect_by_program('shift_request');

-- Whom it was offered to, or who has answered an offer to everyone.
create table shift_request_person (
  program_id bigint not null,
  change_id bigint not null,
  student_id bigint not null,
  answer text not null check (answer in ('asked', 'declined', 'proposed')),
  -- The shift that she would give in return.
  assignment_id bigint,
  at timestamptz not null default now(),
  primary key (program_id, change_id, student_id),
  foreign key (program_id, change_id) references shift_request,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, assignment_id) references shift_assignment,
  check (answer <> 'proposed' or assignment_id is not null)
);
create index shift_request_person_student on shift_request_person (program_id, student_id, change_id);
create index shift_request_person_assignment on shift_request_person (program_id, assignment_id) where assignment_id is not null;
call protect_by_program('shift_request_person');

-- The sites that are asked to approve, each by a link of its own.
create table shift_request_site (
  program_id bigint not null,
  id bigint generated always as identity,
  change_id bigint not null,
  site_id bigint not null,
  recipient text not null,
  answer text check (answer in ('approved', 'declined')),
  answered_at timestamptz,
  primary key (program_id, id),
  unique (program_id, change_id, site_id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, change_id) references shift_request
);
call protect_by_program('shift_request_site');

-- What happened to a change, in words.
create table shift_request_event (
  program_id bigint not null,
  id bigint generated always as identity,
  change_id bigint not null,
  at timestamptz not null default clock_timestamp(),
  -- Who did it; empty for the product itself.
  actor text not null,
  action text not null,
  detail text not null default '',
  primary key (program_id, id),
  foreign key (program_id, change_id) references shift_request
);
create index shift_request_event_change on shift_request_event (program_id, change_id, id);
call protect_by_program('shift_request_event');
