create table competency_score (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  deleted_at timestamptz,
  is_active boolean not null default true,
  primary key (program_id, id)
);
create unique index competency_score_name on competency_score (program_id, lower(name)) where deleted_at is null;
call protect_by_program('competency_score');

create table competency_score_value (
  program_id bigint not null,
  id bigint generated always as identity,
  score_id bigint not null,
  label text collate alphabetical not null check (label <> ''),
  value numeric(8,2),
  position integer not null,
  is_passing boolean not null default true,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, score_id) references competency_score
);
create index competency_score_value_of on competency_score_value (program_id, score_id, position);
call protect_by_program('competency_score_value');

create table major_study (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  position integer not null,
  deleted_at timestamptz,
  list_id bigint not null,
  is_patient_care boolean not null default false,
  electives_needed smallint not null default 0 check (electives_needed between 0 and 1000),
  import_id bigint references import_run,
  primary key (program_id, id)
);
create unique index major_study_name on major_study (program_id, list_id, lower(name)) where deleted_at is null;
call protect_by_program('major_study');
call never_delete('major_study');

create table participation_level (
  program_id bigint not null,
  id bigint generated always as identity,
  major_study_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  position integer not null,
  -- Whether a procedure at this level counts towards what a competency exam asks for.
  is_counted boolean not null default true,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, major_study_id) references major_study
);
create unique index participation_level_name on participation_level (program_id, major_study_id, lower(name)) where deleted_at is null;
call protect_by_program('participation_level');
call never_delete('participation_level');

create table skill (
  program_id bigint not null,
  id bigint generated always as identity,
  major_study_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  position integer not null,
  is_mandatory boolean not null default false,
  -- Procedures that are logged before the competency exam unlocks.
  unlock_count integer not null default 0 check (unlock_count between 0 and 10000),
  deleted_at timestamptz,
  lineage uuid not null default gen_random_uuid(),
  may_be_simulated boolean not null default false,
  needs_lab_check boolean not null default false,
  is_always_direct boolean not null default false,
  comment_below numeric(8,2),
  passing_percent smallint check (passing_percent between 1 and 100),
  import_id bigint references import_run,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, major_study_id) references major_study
);
create index skill_lineage on skill (program_id, lineage);
create index skill_import on skill (program_id, import_id) where import_id is not null;
create unique index skill_name on skill (program_id, major_study_id, lower(name)) where deleted_at is null;
create trigger touch before update on skill for each row execute function touch();
call protect_by_program('skill');
call never_delete('skill');

create table comp_exam_item (
  program_id bigint not null,
  id bigint generated always as identity,
  skill_id bigint not null,
  text text not null check (text <> ''),
  score_id bigint not null,
  position integer not null,
  deleted_at timestamptz,
  is_critical boolean not null default false,
  default_value_id bigint,
  primary key (program_id, id),
  foreign key (program_id, score_id) references competency_score,
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, default_value_id) references competency_score_value,
  check (not is_critical or default_value_id is null)
);
create index comp_exam_item_skill on comp_exam_item (program_id, skill_id, position) where deleted_at is null;
create index comp_exam_item_score on comp_exam_item (program_id, score_id) where deleted_at is null;
call protect_by_program('comp_exam_item');

create table pathology (
  program_id bigint not null,
  id bigint generated always as identity,
  skill_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  position integer not null,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, skill_id) references skill
);
create unique index pathology_name on pathology (program_id, skill_id, lower(name)) where deleted_at is null;
call protect_by_program('pathology');

-- Whether a student who logs a procedure names the pathology, and whether one outside the list may be written.
create table pathology_setting (
  program_id bigint primary key references program,
  is_asked text not null default 'optional' check (is_asked in ('off', 'optional', 'required')),
  allows_other boolean not null default true
);
call protect_by_program('pathology_setting');

-- Competency lists: what a registry asks of a cohort, in versions. Major studies belong to a list, procedures to it through them.
create table competency_list (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  registry text collate alphabetical not null default '',
  effective_on date not null,
  -- The list of students whose cohort has none of its own.
  is_for_others boolean not null default false,
  electives_needed smallint not null default 0 check (electives_needed between 0 and 1000),
  -- Exams that may be simulated; null without a limit, 0 for none.
  most_simulated smallint default 10 check (most_simulated between 0 and 1000),
  examiners text[] not null default '{supervisor,faculty,coordinator}'
    check (cardinality(examiners) > 0 and examiners <@ '{supervisor,faculty,coordinator}'::text[]),
  -- Days within which the student has been at the site of an exam; 0 asks nothing.
  visited_within_days smallint not null default 0 check (visited_within_days between 0 and 1000),
  -- Months after which a passed procedure is rechecked; 0 never.
  recheck_months smallint not null default 0 check (recheck_months between 0 and 120),
  pediatric_max_age smallint not null default 6 check (pediatric_max_age between 0 and 21),
  geriatric_min_age smallint not null default 65 check (geriatric_min_age between 22 and 120),
  geriatric_needs_impairment boolean not null default true,
  -- Items scored below this value ask for a comment; null never.
  comment_below numeric(8,2),
  -- The least share of the highest score that passes an exam; null where only critical items and the examiner decide.
  passing_percent smallint check (passing_percent between 1 and 100),
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  retry_days smallint not null default 1 check (retry_days between 0 and 365),
  primary key (program_id, id)
);
create unique index competency_list_for_others on competency_list (program_id) where is_for_others and deleted_at is null;
create unique index competency_list_name on competency_list (program_id, lower(name)) where deleted_at is null;
create trigger touch before update on competency_list for each row execute function touch();
call protect_by_program('competency_list');
call never_delete('competency_list');

-- A cohort has one list and keeps it until somebody gives it another one.
create table competency_list_cohort (
  program_id bigint not null,
  cohort text collate alphabetical not null check (cohort <> ''),
  list_id bigint not null,
  primary key (program_id, cohort),
  foreign key (program_id, list_id) references competency_list
);
create index competency_list_cohort_list on competency_list_cohort (program_id, list_id);
call protect_by_program('competency_list_cohort');

-- The participation levels at which a log of this procedure counts; where it has none, those of its major study that count.
create table skill_participation_level (
  program_id bigint not null,
  skill_id bigint not null,
  level_id bigint not null,
  primary key (program_id, skill_id, level_id),
  foreign key (program_id, level_id) references participation_level,
  foreign key (program_id, skill_id) references skill
);
create index skill_participation_level_level on skill_participation_level (program_id, level_id);
call protect_by_program('skill_participation_level');

-- What students log of their procedures, one row a line, and what it adds up to by student and procedure.
create table procedure_log (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  skill_id bigint not null,
  -- The day of the shift.
  date date not null,
  -- Null on a day without a shift.
  assignment_id bigint,
  site_id bigint,
  -- Who is asked to verify; others see the entry once they have taken it over.
  supervisor_id bigint,
  -- Null where the major study has no participation levels.
  level_id bigint,
  count smallint not null check (count between 1 and 99),
  patient text not null default 'adult' check (patient in ('adult', 'pediatric', 'geriatric')),
  repeats smallint not null default 0 check (repeats between 0 and 99),
  repeat_reason text not null default '',
  -- The radiographer who was present at the repeats; known at the latest when they are verified.
  radiographer text not null default '',
  pathology_id bigint,
  -- The pathology in the student's own words, where the list has none for it.
  other_pathology text not null default '',
  note text not null default '',
  state text not null default 'submitted' check (state in ('submitted', 'verified', 'returned')),
  return_reason text not null default '',
  decided_at timestamptz,
  decided_by bigint,
  -- Grows with every change: a save says which one it started from.
  revision integer not null default 1,
  -- Made on the device: what is sent twice is kept once.
  key uuid not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  -- Whose an entry was before somebody took its day over, so that it can be given back; of an entry that named nobody only the moment is known.
  taken_from bigint,
  taken_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, level_id) references participation_level,
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, pathology_id) references pathology,
  foreign key (program_id, assignment_id) references shift_assignment,
  foreign key (program_id, supervisor_id) references account (program_id, id),
  check ((state = 'submitted') = (decided_at is null)),
  check (state <> 'returned' or return_reason <> ''),
  check (repeats = 0 or repeat_reason <> ''),
  check (state <> 'verified' or repeats = 0 or radiographer <> '')
);
create unique index procedure_log_key on procedure_log (program_id, student_id, key);
create index procedure_log_student on procedure_log (program_id, student_id, date, id) where deleted_at is null;
create index procedure_log_day on procedure_log (program_id, date, id) where deleted_at is null;
create index procedure_log_skill on procedure_log (program_id, skill_id, date, id) where deleted_at is null;
create index procedure_log_site on procedure_log (program_id, site_id, date, id) where deleted_at is null;
-- What waits for somebody, and what waits for students.
create index procedure_log_waiting on procedure_log (program_id, supervisor_id, date, student_id)
  where state = 'submitted' and deleted_at is null;
create index procedure_log_waiting_site on procedure_log (program_id, site_id, date, student_id)
  where state = 'submitted' and deleted_at is null;
create index procedure_log_open on procedure_log (program_id, state, date, id) where state <> 'verified' and deleted_at is null;
-- What the list of all is narrowed down to that is rare.
create index procedure_log_repeats on procedure_log (program_id, date, id) where repeats > 0 and deleted_at is null;
create index procedure_log_without_shift on procedure_log (program_id, date, id) where assignment_id is null and deleted_at is null;
create index procedure_log_patient on procedure_log (program_id, patient, date, id) where patient <> 'adult' and deleted_at is null;
-- What somebody verified within a day, for taking it back.
create index procedure_log_decided on procedure_log (program_id, decided_by, decided_at) where state = 'verified' and deleted_at is null;
create index procedure_log_deleted on procedure_log (program_id, deleted_at) where deleted_at is not null;
create trigger touch before update on procedure_log for each row execute function touch();
create trigger keep_added after insert on procedure_log referencing new table as changed
  for each statement execute function keep_procedures();
create trigger keep_changed after update on procedure_log referencing old table as was new table as changed
  for each statement execute function keep_procedures();
call protect_by_program('procedure_log');
call never_delete('procedure_log');

-- What an entry said before staff or its supervisor changed it.
create table procedure_log_change (
  program_id bigint not null,
  id bigint generated always as identity,
  log_id bigint not null,
  at timestamptz not null default now(),
  by_id bigint not null,
  reason text not null default '',
  before jsonb not null,
  primary key (program_id, id),
  foreign key (program_id, log_id) references procedure_log
);
create index procedure_log_change_log on procedure_log_change (program_id, log_id);
call protect_by_program('procedure_log_change');

create table procedure_sum (
  program_id bigint not null references program,
  student_id bigint not null,
  skill_id bigint not null,
  verified integer not null,
  waiting integer not null,
  returned integer not null,
  last_date date not null,
  -- The participation level of the last entry.
  last_level_id bigint,
  -- By level, 0 without one: verified and waiting. Which of them count is the list's to say, and may change.
  levels jsonb not null,
  primary key (program_id, student_id, skill_id)
);
create index procedure_sum_skill on procedure_sum (program_id, skill_id);
call protect_by_program('procedure_sum');

-- Who may examine at a site. Where a site has nobody here, its supervisors may.
create table exam_examiner (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint not null,
  -- The account of the same person, if she has one.
  account_id bigint,
  first_name text collate alphabetical not null check (first_name <> ''),
  last_name text collate alphabetical not null check (last_name <> ''),
  email text not null check (email <> ''),
  credential text collate alphabetical not null check (credential <> ''),
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
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, faculty_id) references account (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create unique index lab_check_once on lab_check (program_id, student_id, skill_id) where deleted_at is null;
create index lab_check_skill on lab_check (program_id, skill_id, student_id) where deleted_at is null;
create index lab_check_deleted on lab_check (program_id, deleted_at) where deleted_at is not null;
create trigger keep_added_standing after insert on lab_check referencing new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_changed_standing after update on lab_check referencing old table as was new table as changed
  for each statement execute function keep_examined_competencies();
call protect_by_program('lab_check');
call never_delete('lab_check');

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
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, student_id) references account (program_id, id)
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
  comment_below numeric(8,2),
  -- Points of the items that have values, and the most there are.
  score numeric(10,2),
  highest numeric(10,2),
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
  short_code text not null check (short_code ~ '^[A-Z2-9]{8}$') unique,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site,
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, roster_id) references exam_examiner,
  foreign key (program_id, recheck_id) references exam_recheck,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, examiner_id) references account (program_id, id),
  check ((state not in ('passed', 'failed')) or result = state),
  check ((state not in ('open', 'withdrawn')) or result is null),
  check ((state not in ('suspended', 'voided')) or ended_at is not null),
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
create trigger keep_added_standing after insert on exam_attempt referencing new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_changed_standing after update on exam_attempt referencing old table as was new table as changed
  for each statement execute function keep_examined_competencies();
call protect_by_program('exam_attempt');
call never_delete('exam_attempt');

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
  primary key (program_id, attempt_id, "position"),
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
  proved_at timestamptz,
  token_hash bytea unique,
  token_expires_at timestamptz,
  -- Set when a newer code takes its place, and when the attempt is decided.
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, roster_id) references exam_examiner,
  foreign key (program_id, attempt_id) references exam_attempt,
  foreign key (program_id, examiner_id) references account (program_id, id),
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
  name text collate alphabetical not null check (name <> ''),
  credential text collate alphabetical not null default '',
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
  foreign key (program_id, roster_id) references exam_examiner,
  foreign key (program_id, attempt_id) references exam_attempt,
  foreign key (program_id, examiner_id) references account (program_id, id)
);
call protect_by_program('exam_signature');

-- How every student is doing on her competency list, one packed row each, so that the grid of a program reads a page of texts in
-- place of judging eighty procedures of every student. It is judged anew, for the students whom a change concerns, in the
-- transaction of the change: a log, an exam, a lab check, the list or its rules, a cohort.
create table competency_standing (
  program_id bigint not null references program,
  student_id bigint not null,
  list_id bigint not null,
  -- One character for each procedure of the list, in the order of their ids: see contract/competencies/grid-states.ts.
  cells text not null,
  -- All that is logged and not returned, counted or not.
  logged integer not null,
  -- Exams passed, and procedures of which enough is logged and verified.
  passed smallint not null,
  ready smallint not null,
  -- How much of what the list asks was passed; electives no further than they are needed.
  done smallint not null,
  primary key (program_id, student_id)
);
create index competency_standing_list on competency_standing (program_id, list_id, student_id);
call protect_by_program('competency_standing');

-- How many exams a list asks in a term, by which it is known who is behind; and where procedures were logged, by week.
create table competency_term_target (
  program_id bigint not null,
  id bigint generated always as identity,
  list_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  -- Null for every cohort of the list.
  cohort text collate alphabetical check (cohort <> ''),
  from_date date not null,
  through_date date not null,
  -- To be passed from the first day through the last.
  exams smallint not null check (exams between 1 and 1000),
  primary key (program_id, id),
  foreign key (program_id, list_id) references competency_list,
  check (from_date <= through_date)
);
create index competency_term_target_list on competency_term_target (program_id, list_id, from_date);
call protect_by_program('competency_term_target');

-- Logs that are not returned, by the first day of their week, kept in place. Days without a site are in none.
create table procedure_site_week (
  program_id bigint not null references program,
  skill_id bigint not null,
  site_id bigint not null,
  week date not null,
  count integer not null,
  primary key (program_id, skill_id, site_id, week)
);
call protect_by_program('procedure_site_week');

-- Two lists whose procedures are compared with each other.
create table competency_list_link (
  program_id bigint not null references program,
  one_list_id bigint not null,
  other_list_id bigint not null,
  -- Procedures of either list of which somebody said that they are none of the other.
  kept_apart bigint[] not null default '{}',
  -- It was done. Giving one of them to other students has it done again.
  is_compared boolean not null default false,
  primary key (program_id, one_list_id, other_list_id),
  foreign key (program_id, one_list_id) references competency_list,
  foreign key (program_id, other_list_id) references competency_list,
  check (one_list_id < other_list_id)
);
create index competency_list_link_other on competency_list_link (program_id, other_list_id);
call protect_by_program('competency_list_link');

-- A list that was given to students, with what it takes to undo that.
create table competency_list_move (
  program_id bigint not null references program,
  id bigint generated always as identity,
  list_id bigint not null,
  students integer not null,
  -- Cohorts by name with the list that each had, null for none of its own; and the list of all others.
  cohorts jsonb not null,
  others_list_id bigint,
  -- Procedures that became the same as another one, by id, with the lineage that each had.
  lineages jsonb not null default '{}',
  moved_at timestamptz not null default now(),
  moved_by bigint,
  undone_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, list_id) references competency_list
);
create index competency_list_move_list on competency_list_move (program_id, list_id);
call protect_by_program('competency_list_move');

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

alter table major_study add foreign key (program_id, list_id) references competency_list;
