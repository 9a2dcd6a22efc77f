-- A roster as it was read, until somebody has looked at it and applied it.
create table lti_roster (
  program_id bigint not null references program,
  id bigint generated always as identity,
  provider_id bigint not null references saml_provider,
  course_id bigint not null references lti_course,
  members jsonb not null,
  adopts_by_email boolean not null,
  read_at timestamptz not null default now(),
  read_by bigint,
  applied_at timestamptz,
  primary key (program_id, id)
);
create index lti_roster_read on lti_roster (read_at);
call protect_by_program('lti_roster');

-- Who is in a program by the roster of a course. Who leaves the last of them is deactivated.
create table lti_roster_member (
  program_id bigint not null,
  course_id bigint not null references lti_course,
  account_id bigint not null,
  primary key (program_id, course_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id)
);
create index lti_roster_member_account on lti_roster_member (program_id, account_id);
call protect_by_program('lti_roster_member');
