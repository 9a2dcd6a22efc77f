create table sync_log (
  program_id bigint not null references program,
  id bigint generated always as identity,
  -- 1 students, 2 staff, 3 sites, 4 verifications.
  module_id smallint not null check (module_id between 1 and 4),
  -- Whose rights the run had.
  account_id bigint,
  event jsonb not null,
  created_at timestamptz not null default now(),
  primary key (program_id, id)
);
create index sync_log_newest on sync_log (program_id, created_at desc, id desc);
create index sync_log_module on sync_log (program_id, module_id, created_at desc, id desc);
-- Super admins look through the runs of all programs.
create index sync_log_all on sync_log (created_at desc, id desc);
create index sync_log_failed on sync_log (created_at desc, id desc) where not (event ->> 'Success')::boolean;
alter table sync_log enable row level security;
create policy program on sync_log using (
  program_id = (select current_program()) or (select current_setting('app.super', true)) = 'on');

-- Our field → their column, the columns that the file had, and their values → ours by field. Without a program: colleges.
create table import_memory (
  program_id bigint references program,
  kind text not null,
  mapping jsonb not null,
  columns text[] not null,
  value_choices jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by bigint,
  unique nulls not distinct (program_id, kind)
);
create trigger touch before update on import_memory for each row execute function touch();
alter table import_memory enable row level security;
create policy program on import_memory using (
  program_id = (select current_program())
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
