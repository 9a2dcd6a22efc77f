-- Competency lists: what a registry asks of a cohort, in versions. Major studies belong to a list, procedures to it through them.
create table competency_list (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  registry text not null default '',
  effective_on date not null,
  -- The list of students whose cohort has none of its own.
  is_for_others boolean not null default false,
  electives_needed smallint not null default 0 check (electives_needed between 0 and 1000),
  -- Exams that may be simulated; null without a limit, 0 for none.
  most_simulated smallint default 10 check (most_simulated between 0 and 1000),
  examiners text[] not null default '{supervisor,faculty,coordinator}'
    check (cardinality(examiners) > 0 and examiners <@ '{supervisor,faculty,coordinator}'),
  -- Days within which the student has been at the site of an exam; 0 asks nothing.
  visited_within_days smallint not null default 0 check (visited_within_days between 0 and 1000),
  -- Months after which a passed procedure is rechecked; 0 never.
  recheck_months smallint not null default 0 check (recheck_months between 0 and 120),
  pediatric_max_age smallint not null default 6 check (pediatric_max_age between 0 and 21),
  geriatric_min_age smallint not null default 65 check (geriatric_min_age between 22 and 120),
  geriatric_needs_impairment boolean not null default true,
  -- Items scored below this value ask for a comment; null never.
  comment_below numeric(8, 2),
  -- The least share of the highest score that passes an exam; null where only critical items and the examiner decide.
  passing_percent smallint check (passing_percent between 1 and 100),
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create unique index competency_list_name on competency_list (program_id, lower(name)) where deleted_at is null;
create unique index competency_list_for_others on competency_list (program_id) where is_for_others and deleted_at is null;
create trigger touch before update on competency_list for each row execute function touch();
call protect_by_program('competency_list');

-- A cohort has one list and keeps it until somebody gives it another one.
create table competency_list_cohort (
  program_id bigint not null,
  cohort text not null check (cohort <> ''),
  list_id bigint not null,
  primary key (program_id, cohort),
  foreign key (program_id, list_id) references competency_list
);
create index competency_list_cohort_list on competency_list_cohort (program_id, list_id);
call protect_by_program('competency_list_cohort');

insert into competency_list (program_id, name, effective_on, is_for_others)
  select distinct program_id, 'Competencies', current_date, true from major_study;

alter table major_study
  add list_id bigint,
  -- Patient care is counted by itself, apart from imaging.
  add is_patient_care boolean not null default false,
  add electives_needed smallint not null default 0 check (electives_needed between 0 and 1000),
  add import_id bigint references import_run;
update major_study m set list_id = l.id from competency_list l where l.program_id = m.program_id;
alter table major_study
  alter list_id set not null,
  add foreign key (program_id, list_id) references competency_list;
drop index major_study_name;
create unique index major_study_name on major_study (program_id, list_id, lower(name)) where deleted_at is null;

alter table skill
  -- The same in all versions of a list, so that what was passed counts in the next one.
  add lineage uuid not null default gen_random_uuid(),
  add may_be_simulated boolean not null default false,
  -- No exam before faculty has checked the procedure in the lab.
  add needs_lab_check boolean not null default false,
  -- Stays under direct supervision after it was passed: surgical and mobile procedures.
  add is_always_direct boolean not null default false,
  -- In place of the list's; null where the list's counts.
  add comment_below numeric(8, 2),
  add passing_percent smallint check (passing_percent between 1 and 100),
  add import_id bigint references import_run,
  add created_at timestamptz not null default now(),
  add created_by bigint,
  add updated_at timestamptz not null default now(),
  add updated_by bigint;
create index skill_lineage on skill (program_id, lineage);
create index skill_import on skill (program_id, import_id) where import_id is not null;
create trigger touch before update on skill for each row execute function touch();

-- The participation levels at which a log of this procedure counts; where it has none, those of its major study that count.
create table skill_participation_level (
  program_id bigint not null,
  skill_id bigint not null,
  level_id bigint not null,
  primary key (program_id, skill_id, level_id),
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, level_id) references participation_level
);
create index skill_participation_level_level on skill_participation_level (program_id, level_id);
call protect_by_program('skill_participation_level');

-- A score that is no longer offered stays with the items that use it.
alter table competency_score add is_active boolean not null default true;

alter table comp_exam_item
  -- Fails the whole attempt when it is not passed, and is never scored by default.
  add is_critical boolean not null default false,
  add default_value_id bigint,
  add foreign key (program_id, default_value_id) references competency_score_value,
  add check (not is_critical or default_value_id is null);
create index comp_exam_item_score on comp_exam_item (program_id, score_id) where deleted_at is null;
