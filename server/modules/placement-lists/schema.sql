-- Lists of who comes to a site in a rotation, sent to its contact by a link, with the site's answer about each student.
create table placement_list (
  program_id bigint not null references program,
  id bigint generated always as identity,
  rotation_id bigint not null,
  site_id bigint not null,
  recipient_name text collate alphabetical not null,
  recipient_email text not null,
  note text not null default '',
  answer_by date not null,
  -- Kept with the answers.
  students integer not null,
  confirmed integer not null default 0,
  declined integer not null default 0,
  sent_at timestamptz not null default now(),
  created_by bigint,
  reminded_at timestamptz,
  -- When coordinators were told that the date is over.
  late_at timestamptz,
  withdrawn_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, rotation_id) references rotation,
  check ((confirmed + declined) <= students)
);
create unique index placement_list_open on placement_list (program_id, rotation_id, site_id) where withdrawn_at is null;
create index placement_list_site on placement_list (program_id, site_id, id);
create index placement_list_due on placement_list (program_id, answer_by)
  where withdrawn_at is null and late_at is null and confirmed + declined < students;
call protect_by_program('placement_list');

create table placement_list_student (
  program_id bigint not null,
  list_id bigint not null,
  student_id bigint not null,
  first_date date not null,
  last_date date not null,
  shifts integer not null,
  is_confirmed boolean,
  reason text not null default '',
  answered_at timestamptz,
  primary key (program_id, list_id, student_id),
  foreign key (program_id, list_id) references placement_list,
  foreign key (program_id, student_id) references account (program_id, id),
  check ((is_confirmed is null) = (answered_at is null))
);
create index placement_list_student_of on placement_list_student (program_id, student_id);
call protect_by_program('placement_list_student');

-- Requests for places: how many students a site is asked to take in a stretch of days, what it answered, and what the program made of it.
create table place_request (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint not null,
  -- Null asks for the whole site.
  site_shift_id bigint,
  -- Null asks for students of any level.
  student_level_id smallint,
  start_date date not null,
  end_date date not null,
  places integer not null check (places > 0),
  note text not null default '',
  recipient_name text collate alphabetical not null,
  recipient_email text not null,
  answer_by date not null,
  sent_at timestamptz not null default now(),
  created_by bigint,
  reminded_at timestamptz,
  -- When coordinators were told that the date is over.
  late_at timestamptz,
  answer text check (answer in ('yes', 'fewer', 'otherDates', 'no')),
  -- What the site offers: as asked, or as it said.
  offered_places integer check (offered_places >= 0),
  offered_from date,
  offered_through date,
  words text not null default '',
  answered_at timestamptz,
  is_accepted boolean,
  decided_at timestamptz,
  decided_by bigint,
  withdrawn_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, site_shift_id) references site_shift,
  foreign key (program_id, student_level_id) references student_level,
  check (start_date <= end_date),
  check (offered_from <= offered_through),
  check ((answer is null) = (answered_at is null) and (answer is null) = (offered_places is null)
      and (answer is null) = (offered_from is null) and (answer is null) = (offered_through is null)),
  check ((is_accepted is null) = (decided_at is null)),
  check (is_accepted is null or answer is not null)
);
create index place_request_site on place_request (program_id, site_id, id);
create index place_request_accepted on place_request (program_id, offered_from, offered_through) where is_accepted;
create index place_request_offered on place_request (program_id, answered_at)
  where withdrawn_at is null and answer is not null and is_accepted is null;
create index place_request_due on place_request (program_id, answer_by)
  where withdrawn_at is null and late_at is null and answer is null;
create index place_request_level on place_request (program_id, student_level_id) where student_level_id is not null;
call protect_by_program('place_request');
