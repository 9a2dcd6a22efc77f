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
  recipient_name text not null,
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
call protect_by_program('place_request');

-- Programs with requests that may have to be reminded of, for the job: two days before their date, whatever the time zone.
create function find_programs_with_due_place_requests() returns table (program_id bigint)
language sql stable security definer set search_path = public as $$
  select distinct r.program_id from place_request r
  where r.withdrawn_at is null and r.late_at is null and r.answer is null and r.answer_by <= current_date + 3
$$;

call add_mail_template('SITE_places_asked',
  '<p><strong>Request for places.</strong> Asks the contact of a site by a link how many students it takes in a stretch of days.</p>',
  'Can {{site.name}} take {{request.students}}? Please answer by {{request.answerBy}}',
  '<p>Hello {{recipient.name}},</p><p>{{request.text}}</p><p><a href="{{link}}">See the request and answer</a></p><p>You need no account. The first time, we email you a code.</p>');
call add_mail_template('SITE_places_decided',
  '<p><strong>Decision about places.</strong> Tells the contact of a site what became of its answer to a request for places.</p>',
  '{{site.name}}: {{decision.summary}}',
  '<p>Hello {{recipient.name}},</p><p>{{decision.text}}</p><p>There is nothing to do.</p>');
call add_mail_template('SITE_places_answered',
  '<p><strong>Answers about places.</strong> Tells coordinators what sites answered to requests for places, and which have not answered in time.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">See the requests for places</a></p>');
