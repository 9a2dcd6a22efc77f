-- Files: bytes lie in the file store under a random name; this is their register.
create table stored_file (
  id bigint generated always as identity primary key,
  program_id bigint references program,
  store_key text not null unique,
  name text collate alphabetical not null,
  media_type text not null,
  byte_count bigint not null,
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  created_by bigint
);
create index stored_file_bytes on stored_file (byte_count);
alter table stored_file enable row level security;
create policy program on stored_file using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
