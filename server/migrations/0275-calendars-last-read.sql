-- Whether a calendar program still comes by, said to the owner of the address.
alter table calendar_feed add column last_read_at timestamptz;
create function note_calendar_read(hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  update calendar_feed set last_read_at = now()
  where token_hash = hash and (last_read_at is null or last_read_at < now() - interval '1 minute')
$$;
