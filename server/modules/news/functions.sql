call read_across('announcement', 'program_id');

-- Everybody who is signed in sees the installation's pictures, a program's people those of the program.
create or replace function find_picture(wanted text) returns table (program_id bigint, name text, media_type text, store_key text)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.program_id, f.name, f.media_type, f.store_key
  from picture p join stored_file f on f.id = p.file_id where p.key = wanted
$$;
