-- Who is at risk compares students with their own cohort, and may be set by level.
alter table risk_rule
  -- Percentage points behind the middle of the cohort before a late forecast is a risk; null: every late forecast is one.
  add behind_by smallint default 10 check (behind_by between 0 and 100),
  add requirements_above smallint not null default 3 check (requirements_above between 0 and 100);

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
