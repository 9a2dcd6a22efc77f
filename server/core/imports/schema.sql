-- Imports: what a run made or changed, so that it can be undone.
create table import_run (
  id bigint generated always as identity primary key,
  program_id bigint references program,
  kind text not null,
  file_name text collate alphabetical not null default '',
  row_count integer not null,
  added integer not null,
  changed integer not null,
  unchanged integer not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  undone_at timestamptz,
  -- Imports say how far they are, and keep the values they wrote: undo refuses rows that were changed since.
  status text not null default 'done' check (status in ('running', 'done', 'failed')),
  done_rows integer not null default 0,
  updated_at timestamptz not null default now(),
  kept integer not null default 0 check (kept >= 0),
  kept_told text[] not null default '{}'
);
create index import_run_program on import_run (program_id, created_at desc);
alter table import_run enable row level security;
create policy program on import_run using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));

-- The values before an import changed a row: what undo puts back.
create table import_change (
  import_id bigint not null references import_run,
  entity_id bigint not null,
  before jsonb not null,
  after jsonb not null default '{}',
  primary key (import_id, entity_id)
);
