create table remediation_plan (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  title text collate alphabetical not null check (title <> ''),
  goal text not null default '',
  started_on date not null,
  due_on date not null,
  state text not null default 'open' check (state in ('open', 'completed', 'canceled')),
  outcome text not null default '',
  closed_on date,
  closed_by bigint,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  check ((state = 'open') = (closed_on is null)),
  check ((state = 'open') = (outcome = ''))
);
create index remediation_plan_student on remediation_plan (program_id, student_id, id);
create index remediation_plan_open on remediation_plan (program_id, due_on, student_id) where state = 'open';
create trigger touch before update on remediation_plan for each row execute function touch();
call protect_by_program('remediation_plan');

create table remediation_task (
  program_id bigint not null,
  id bigint generated always as identity,
  plan_id bigint not null,
  position smallint not null,
  text text not null check (text <> ''),
  due_on date,
  done_on date,
  done_by bigint,
  primary key (program_id, id),
  foreign key (program_id, plan_id) references remediation_plan,
  check (done_on is not null or done_by is null)
);
create index remediation_task_plan on remediation_task (program_id, plan_id, position);
call protect_by_program('remediation_task');

-- When a cohort is planned to be done.
create table cohort_end (
  program_id bigint not null references program,
  cohort text collate alphabetical not null check (cohort <> ''),
  ends_on date not null,
  primary key (program_id, cohort)
);
call protect_by_program('cohort_end');

-- What a program calls at risk; without a row the defaults of contract/progress/forecast-rules.ts count.
create table risk_rule (
  program_id bigint primary key references program,
  days_late smallint check (days_late between 0 and 365),
  absences_above smallint check (absences_above between 0 and 100),
  late_above smallint check (late_above between 0 and 100),
  evaluation_below smallint check (evaluation_below between 0 and 100),
  has_requirements boolean not null,
  has_remediation boolean not null,
  behind_by smallint default 10 check (behind_by between 0 and 100),
  requirements_above smallint not null default 3 check (requirements_above between 0 and 100)
);
call protect_by_program('risk_rule');

-- How far every student is. A day that passes changes a forecast as much as an exam does, so a job counts all of a program once
-- a day, and again when its rules change; the page of one student counts for itself.
create table student_progress (
  program_id bigint not null references program,
  student_id bigint not null,
  counted_at timestamptz not null default now(),
  hours_done integer not null,
  hours_needed integer not null,
  hours_per_week numeric(8,1) not null,
  exams_done smallint not null,
  exams_needed smallint not null,
  exams_per_week numeric(6,2) not null,
  requirements_missing smallint not null,
  absences smallint not null,
  late smallint not null,
  made_up smallint not null,
  evaluation_percent numeric(5,1),
  completes_on date,
  decided_by text check (decided_by in ('hours', 'competencies')),
  risks text[] not null,
  hours_on date,
  hours_by text check (hours_by in ('approval', 'shifts', 'pace')),
  hours_short integer not null default 0,
  hours_projection integer not null default 0,
  hours_short_in jsonb,
  hours_pending integer not null default 0,
  primary key (program_id, student_id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create index student_progress_day on student_progress (program_id, completes_on);
create index student_progress_risk on student_progress (program_id, student_id) where risks <> '{}';
-- Who is counted anew by whoever looks next.
create index student_progress_forgotten on student_progress (program_id, student_id) where counted_at = '-infinity';
call protect_by_program('student_progress');

create table risk_rule_level (
  program_id bigint not null references program,
  level_id smallint not null,
  days_late smallint check (days_late between 0 and 365),
  behind_by smallint check (behind_by between 0 and 100),
  absences_above smallint check (absences_above between 0 and 100),
  late_above smallint check (late_above between 0 and 100),
  evaluation_below smallint check (evaluation_below between 0 and 100),
  has_requirements boolean not null,
  requirements_above smallint not null check (requirements_above between 0 and 100),
  has_remediation boolean not null,
  primary key (program_id, level_id)
);
call protect_by_program('risk_rule_level');

-- Which changes of a program are counted, those that were seen then, on which of its days, and when what is asked of its students changed last: then
-- all of them are counted anew, else those whose records have changed.
create table progress_count (
  program_id bigint primary key references program,
  counted_on date,
  counted_in pg_snapshot,
  goals_at xid8 not null default '0'::xid8
);
call protect_by_program('progress_count');
