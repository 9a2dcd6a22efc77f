-- Those who entered a program: graduates, people who left it, and those still in it. Rows may be older than the product, so
-- that the account is not needed, and they stay when it is gone.
create table graduate (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint,
  first_name text collate alphabetical not null check (first_name <> ''),
  last_name text collate alphabetical not null check (last_name <> ''),
  student_number text collate alphabetical not null default '',
  cohort text collate alphabetical not null default '',
  entered_on date,
  graduated_on date,
  withdrew_on date,
  withdrawal_reason text
    check (withdrawal_reason in ('academic', 'medical', 'family', 'financial', 'military', 'relocation', 'changedField', 'otherReason')),
  exam text not null default '',
  first_attempt_on date,
  first_attempt_result text check (first_attempt_result in ('passed', 'failed', 'high')),
  passed_on date,
  high_cut_on date,
  placement text
    check (placement in ('field', 'otherField', 'seeking', 'education', 'military', 'unreachable', 'notMoving', 'termsRefused')),
  started_work_on date,
  notes text not null default '',
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id),
  check (graduated_on is null or withdrew_on is null),
  check ((withdrew_on is null) = (withdrawal_reason is null)),
  check ((first_attempt_on is null) = (first_attempt_result is null)),
  check (passed_on is null or first_attempt_on is not null),
  check (high_cut_on is null or passed_on is not null)
);
create unique index graduate_account on graduate (program_id, account_id) where account_id is not null and deleted_at is null;
-- The measures read this index alone.
create index graduate_facts on graduate (program_id, graduated_on) include (entered_on, withdrew_on, withdrawal_reason, first_attempt_on,
  first_attempt_result, passed_on, high_cut_on, placement, started_work_on) where deleted_at is null;
create index graduate_import on graduate (program_id, import_id) where import_id is not null;
create index graduate_name on graduate (program_id, lower(last_name), lower(first_name), id) where deleted_at is null;
create trigger touch before update on graduate for each row execute function touch();
call protect_by_program('graduate');

-- What the accreditor asks the program to measure.
create table outcome_measure (
  program_id bigint not null references program,
  id bigint generated always as identity,
  position smallint not null,
  name text collate alphabetical not null check (name <> ''),
  kind text not null check (kind in ('pass', 'placement', 'completion')),
  success text not null,
  population text not null,
  within_months smallint check (within_months between 1 and 120),
  years smallint not null check (years between 1 and 10),
  target text not null check (target in ('threshold', 'mean', 'none')),
  threshold numeric(5,2) check (threshold between 0 and 100),
  alternative text not null default '',
  fewest_shown smallint not null default 0 check (fewest_shown between 0 and 50),
  is_published boolean not null default true,
  primary key (program_id, id),
  check ((target = 'threshold') = (threshold is not null)),
  check (kind = 'pass' and success = 'first' or kind = 'pass' and success = 'any' or kind = 'pass' and success = 'high'
      or kind = 'placement' and success = 'field' or kind = 'placement' and success = 'positive' or kind = 'completion' and success = 'onTime' or kind = 'completion' and success = 'ever'),
  check (kind = 'pass' and population = 'tested' or kind = 'pass' and population = 'graduates' or kind = 'placement'
      and population = 'available' or kind = 'placement' and population = 'graduates' or kind = 'completion' and population = 'entered' or kind = 'completion' and population = 'allEntered')
);
call protect_by_program('outcome_measure');

-- Totals that are entered for a year in place of counting people, and the nation's mean.
create table outcome_year (
  program_id bigint not null,
  measure_id bigint not null,
  year smallint not null,
  numerator integer check (numerator >= 0),
  denominator integer,
  mean numeric(5,2) check (mean between 0 and 100),
  primary key (program_id, measure_id, year),
  foreign key (program_id, measure_id) references outcome_measure on delete cascade,
  check ((numerator is null) = (denominator is null)),
  check (numerator <= denominator)
);
call protect_by_program('outcome_year');

-- The page of results that everybody may read. Off without a row.
create table published_outcomes (
  program_id bigint primary key references program,
  is_public boolean not null,
  introduction text not null,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
create trigger touch before update on published_outcomes for each row execute function touch();
call protect_by_program('published_outcomes');
