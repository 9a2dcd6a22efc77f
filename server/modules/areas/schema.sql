create table area (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  is_active boolean not null default true,
  are_notifications_enabled boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create unique index area_name on area (program_id, lower(name)) where deleted_at is null;
call protect_by_program('area');
