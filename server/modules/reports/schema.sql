create table plan_goal (
  program_id bigint not null references program,
  id bigint generated always as identity,
  year smallint not null check (year between 1990 and 2099),
  text text not null check (text <> '' and length(text) <= 500),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create index plan_goal_year on plan_goal (program_id, year, id) where deleted_at is null;
create trigger touch before update on plan_goal for each row execute function touch();
call protect_by_program('plan_goal');

create table plan_outcome (
  program_id bigint not null,
  id bigint generated always as identity,
  goal_id bigint not null,
  outcome text not null check (outcome <> ''),
  measure text not null default '',
  benchmark text not null default '',
  -- When it is measured, and by whom: words of the program's own.
  timing text not null default '',
  responsible text not null default '',
  result text not null default '',
  action text not null default '',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, goal_id) references plan_goal
);
create index plan_outcome_goal on plan_outcome (program_id, goal_id, id) where deleted_at is null;
create trigger touch before update on plan_outcome for each row execute function touch();
call protect_by_program('plan_outcome');

create table custom_report (
  program_id bigint not null references program,
  id bigint generated always as identity,
  owner_id bigint not null references account,
  name text collate alphabetical not null check (name <> ''),
  -- Subject, Columns, Filters, GroupBy and Sort by the names of contract/custom-reports-rules.ts; read and saved whole.
  definition jsonb not null,
  is_shared boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create index custom_report_list on custom_report (program_id, lower(name), id) where deleted_at is null;
create trigger touch before update on custom_report for each row execute function touch();
call protect_by_program('custom_report');

-- Each reader orders the letters for herself.
create table custom_report_email (
  program_id bigint not null,
  report_id bigint not null,
  account_id bigint not null constraint custom_report_letter_account_id_fkey references account,
  frequency text not null constraint custom_report_letter_frequency_check check (frequency in ('weekly', 'monthly')),
  -- The program's day on which the next letter goes.
  next_on date not null,
  constraint custom_report_letter_pkey primary key (program_id, report_id, account_id),
  constraint custom_report_letter_program_id_report_id_fkey foreign key (program_id, report_id) references custom_report
);
create index custom_report_email_due on custom_report_email (program_id, next_on);
call protect_by_program('custom_report_email');
