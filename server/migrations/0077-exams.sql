-- Competency exams: attempts with their scores and signatures, who may examine at a site, lab checks, rechecks, and the links
-- that show what students may do under indirect supervision.
alter table competency_list
  -- Days after a failed attempt before the next one.
  add retry_days smallint not null default 1 check (retry_days between 0 and 365);

-- Who may examine at a site. Where a site has nobody here, its supervisors may.
create table exam_examiner (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint not null,
  -- The account of the same person, if she has one.
  account_id bigint,
  first_name text not null check (first_name <> ''),
  last_name text not null check (last_name <> ''),
  email text not null check (email <> ''),
  credential text not null check (credential <> ''),
  credential_number text not null default '',
  -- The last day on which the credential is current; null where it does not expire.
  expires_on date,
  -- Nurses sign patient care, never imaging.
  examines text not null default 'all' check (examines in ('all', 'patient-care')),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, account_id) references account (program_id, id)
);
create unique index exam_examiner_email on exam_examiner (program_id, site_id, lower(email)) where deleted_at is null;
create unique index exam_examiner_account on exam_examiner (program_id, account_id, site_id)
  where account_id is not null and deleted_at is null;
create index exam_examiner_name on exam_examiner (program_id, lower(last_name), lower(first_name), id) where deleted_at is null;
create trigger touch before update on exam_examiner for each row execute function touch();
call protect_by_program('exam_examiner');

-- Who never examines a student: relatives, and whoever supervises the student's job. By email, so that it is about the person at all her
-- sites, with an account or without one.
create table exam_exclusion (
  program_id bigint not null references program,
  id bigint generated always as identity,
  email text not null check (email <> '' and email = lower(email)),
  student_id bigint not null,
  reason text not null check (reason in ('relative', 'employer', 'other')),
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create unique index exam_exclusion_person on exam_exclusion (program_id, student_id, email);
create index exam_exclusion_email on exam_exclusion (program_id, email);
call protect_by_program('exam_exclusion');

-- Procedures that faculty has seen a student do in the lab.
create table lab_check (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  skill_id bigint not null,
  checked_on date not null,
  faculty_id bigint not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, faculty_id) references account (program_id, id)
);
create unique index lab_check_once on lab_check (program_id, student_id, skill_id) where deleted_at is null;
create index lab_check_skill on lab_check (program_id, skill_id, student_id) where deleted_at is null;
call protect_by_program('lab_check');

-- A passed procedure that is examined once more.
create table exam_recheck (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  skill_id bigint not null,
  kind text not null check (kind in ('continued', 'challenge', 'terminal')),
  due_on date,
  -- Open until an attempt is passed. A failed one leaves it open for another attempt.
  state text not null default 'open' check (state in ('open', 'passed', 'failed', 'canceled')),
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, skill_id) references skill
);
create unique index exam_recheck_open on exam_recheck (program_id, student_id, skill_id) where state in ('open', 'failed');
create index exam_recheck_due on exam_recheck (program_id, state, due_on, id);
create trigger touch before update on exam_recheck for each row execute function touch();
call protect_by_program('exam_recheck');

-- An attempt at the exam of a procedure. It is declared before the patient's procedure and stays on record, whatever becomes of it.
create table exam_attempt (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  skill_id bigint not null,
  -- The recheck that it is for; null for the exam itself.
  recheck_id bigint,
  -- Of this student and procedure, from 1.
  number smallint not null,
  -- open: declared and not graded. suspended: whoever signed says that it was not her. voided: taken back by the program.
  state text not null default 'open' check (state in ('open', 'passed', 'failed', 'withdrawn', 'suspended', 'voided')),
  -- What the examiner decided; kept when it is suspended or voided.
  result text check (result in ('passed', 'failed')),
  -- The day in the program's time zone on which it was declared.
  date date not null,
  declared_at timestamptz not null default now(),
  site_id bigint,
  is_simulated boolean not null default false,
  -- Simulated exams wait for a coordinator.
  simulation_approved_at timestamptz,
  simulation_approved_by bigint,
  patient text not null default 'adult' check (patient in ('adult', 'pediatric', 'geriatric')),
  -- How the examiner is asked: in her account, by a mailed link, or on the device in the student's hand.
  way text not null check (way in ('account', 'link', 'handover')),
  examiner_id bigint,
  roster_id bigint,
  -- The rules as they were when it was declared.
  passing_percent smallint check (passing_percent between 1 and 100),
  comment_below numeric(8, 2),
  -- Points of the items that have values, and the most there are.
  score numeric(10, 2),
  highest numeric(10, 2),
  comment text not null default '',
  started_at timestamptz,
  graded_at timestamptz,
  -- The first day of the next attempt after a failed one.
  retry_from date,
  -- What the student practices before the next attempt.
  remediation text not null default '',
  remediation_at timestamptz,
  remediation_by bigint,
  -- Why it was withdrawn, suspended or voided.
  ended_reason text not null default '',
  ended_at timestamptz,
  ended_by bigint,
  -- Finds the attempt on another device. It proves nothing.
  short_code text not null unique check (short_code ~ '^[A-Z2-9]{8}$'),
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, recheck_id) references exam_recheck,
  foreign key (program_id, site_id) references site,
  foreign key (program_id, examiner_id) references account (program_id, id),
  foreign key (program_id, roster_id) references exam_examiner,
  check (state not in ('passed', 'failed') or result = state),
  check (state not in ('open', 'withdrawn') or result is null),
  check (state not in ('suspended', 'voided') or ended_at is not null),
  check ((result is null) = (graded_at is null)),
  check ((remediation = '') = (remediation_at is null)),
  check (simulation_approved_at is null or is_simulated)
);
-- One attempt at a time.
create unique index exam_attempt_open on exam_attempt (program_id, student_id, skill_id) where state = 'open';
create unique index exam_attempt_number on exam_attempt (program_id, student_id, skill_id, number);
-- What counts, for the student's card and for those who look at everybody.
create index exam_attempt_passed on exam_attempt (program_id, student_id, skill_id) include (date, is_simulated, recheck_id)
  where state = 'passed';
create index exam_attempt_day on exam_attempt (program_id, date, id);
create index exam_attempt_state on exam_attempt (program_id, state, date, id);
create index exam_attempt_skill on exam_attempt (program_id, skill_id, date, id);
create index exam_attempt_site on exam_attempt (program_id, site_id, date, id);
create index exam_attempt_examiner on exam_attempt (program_id, examiner_id, date, id) where examiner_id is not null;
create index exam_attempt_roster on exam_attempt (program_id, roster_id, date, id) where roster_id is not null;
create index exam_attempt_recheck on exam_attempt (program_id, recheck_id) where recheck_id is not null;
create index exam_attempt_simulated on exam_attempt (program_id, date, id) where is_simulated;
create trigger touch before update on exam_attempt for each row execute function touch();
call protect_by_program('exam_attempt');

-- The items of an attempt as they were when it was declared: later changes of the design leave a running exam alone.
create table exam_attempt_item (
  program_id bigint not null,
  attempt_id bigint not null,
  position smallint not null,
  text text not null,
  is_critical boolean not null,
  -- The values that can be given, in their order: [{Id, Label, Value, IsPassing}].
  scale jsonb not null,
  value_id bigint,
  comment text not null default '',
  updated_at timestamptz not null default now(),
  primary key (program_id, attempt_id, position),
  foreign key (program_id, attempt_id) references exam_attempt
);
call protect_by_program('exam_attempt_item');

-- A code mailed to an examiner for one attempt, and what it opens: grading, for a short time, on the device that has the token.
create table exam_proof (
  program_id bigint not null references program,
  id bigint generated always as identity,
  attempt_id bigint not null,
  examiner_id bigint,
  roster_id bigint,
  email text not null,
  code_hash bytea not null,
  code_expires_at timestamptz not null,
  tries smallint not null default 0,
  proved_at timestamptz,
  token_hash bytea unique,
  token_expires_at timestamptz,
  -- Set when a newer code takes its place, and when the attempt is decided.
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, attempt_id) references exam_attempt,
  foreign key (program_id, examiner_id) references account (program_id, id),
  foreign key (program_id, roster_id) references exam_examiner,
  check ((proved_at is null) = (token_hash is null))
);
create unique index exam_proof_attempt on exam_proof (program_id, attempt_id) where ended_at is null;
call protect_by_program('exam_proof');

-- What was signed, by whom, and how she proved that it was her.
create table exam_signature (
  program_id bigint not null,
  attempt_id bigint not null,
  text text not null check (text <> ''),
  version smallint not null,
  name text not null check (name <> ''),
  credential text not null default '',
  credential_number text not null default '',
  how text not null check (how in ('account', 'link', 'code')),
  examiner_id bigint,
  roster_id bigint,
  -- Where the copy went, which has the link by which she can say that it was not her.
  email text not null,
  dispute_hash bytea unique,
  disputed_at timestamptz,
  signed_at timestamptz not null default now(),
  address inet,
  primary key (program_id, attempt_id),
  foreign key (program_id, attempt_id) references exam_attempt,
  foreign key (program_id, examiner_id) references account (program_id, id),
  foreign key (program_id, roster_id) references exam_examiner
);
call protect_by_program('exam_signature');

-- The page of what students may do under indirect supervision: of a site, by its QR code, or of one student.
create table supervision_link (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint,
  student_id bigint,
  token_hash bytea not null unique,
  -- So that the code can be printed again.
  sealed_token text not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  ended_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, student_id) references account (program_id, id),
  check ((site_id is null) <> (student_id is null))
);
create unique index supervision_link_site on supervision_link (program_id, site_id) where site_id is not null and ended_at is null;
create unique index supervision_link_student on supervision_link (program_id, student_id)
  where student_id is not null and ended_at is null;
call protect_by_program('supervision_link');

-- These are found before any program is known.
create function find_attempt_by_code(code text) returns table (program_id bigint, attempt_id bigint)
  language sql stable security definer set search_path = public as $$
  select a.program_id, a.id from exam_attempt a join program p on p.id = a.program_id and p.deleted_at is null
  where a.short_code = code and a.state = 'open'
$$;
create function find_exam_proof(hash bytea) returns table (program_id bigint, proof_id bigint)
  language sql stable security definer set search_path = public as $$
  select e.program_id, e.id from exam_proof e join program p on p.id = e.program_id and p.deleted_at is null
  where e.token_hash = hash
$$;
create function find_exam_signature(hash bytea) returns table (program_id bigint, attempt_id bigint)
  language sql stable security definer set search_path = public as $$
  select s.program_id, s.attempt_id from exam_signature s join program p on p.id = s.program_id and p.deleted_at is null
  where s.dispute_hash = hash
$$;
create function find_supervision_link(hash bytea) returns table (program_id bigint, site_id bigint, student_id bigint)
  language sql stable security definer set search_path = public as $$
  select l.program_id, l.site_id, l.student_id from supervision_link l
  join program p on p.id = l.program_id and p.deleted_at is null
  where l.token_hash = hash and l.ended_at is null
$$;
