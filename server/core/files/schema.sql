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
create trigger tally_new after insert on stored_file
  referencing new table as changed for each statement execute function tally_files();
create trigger tally_gone after delete on stored_file
  referencing old table as was for each statement execute function tally_files();
create trigger tally_changed after update on stored_file for each row
  when (old.byte_count <> new.byte_count) execute function tally_files();
alter table stored_file enable row level security;
create policy program on stored_file using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
