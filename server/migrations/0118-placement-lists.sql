-- Lists of who comes to a site in a rotation, sent to its contact by a link, with the site's answer about each student.
create table placement_list (
  program_id bigint not null references program,
  id bigint generated always as identity,
  rotation_id bigint not null,
  site_id bigint not null,
  recipient_name text not null,
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
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, site_id) references site,
  check (confirmed + declined <= students)
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

-- Programs with lists that may have to be reminded of, for the job: two days before their date, whatever the time zone.
create function find_programs_with_due_lists() returns table (program_id bigint)
language sql stable security definer set search_path = public as $$
  select distinct l.program_id from placement_list l
  where l.withdrawn_at is null and l.late_at is null and l.confirmed + l.declined < l.students and l.answer_by <= current_date + 3
$$;

call add_mail_template('SITE_list_asked',
  '<p><strong>Placement list.</strong> Sends the contact of a site the link to the students who come in a rotation, to confirm or decline each.</p>',
  '{{rotation.name}} at {{site.name}}: please confirm your students by {{list.answerBy}}',
  '<p>Hello {{recipient.name}},</p><p>{{list.text}}</p><p><a href="{{link}}">See the students and answer</a></p><p>You need no account. The first time, we email you a code.</p>');
call add_mail_template('SITE_list_answered',
  '<p><strong>Answers of sites.</strong> Tells coordinators what sites answered about their placement lists, and which have not answered in time.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">See the placement lists</a></p>');
