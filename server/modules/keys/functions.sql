call read_across('api_key', 'program_id, rights');

create or replace function find_api_key(hash bytea, of_key bigint default null) returns table (
  key_id bigint, key_name text, key_program_id bigint, rights text[], networks text[], calls_per_minute integer, is_expired boolean,
  account_id bigint, user_name text, first_name text, last_name text, email text, is_email_confirmed boolean, is_demo boolean,
  access_level smallint, super_admin_areas integer,
  college_id bigint, program_name text, college_name text, time_zone text
) language sql stable security definer set search_path = public, pg_temp as $$
  select k.id, k.name, k.program_id, k.rights, k.networks::text[], k.calls_per_minute, coalesce(k.expires_at <= now(), false),
    a.id, a.user_name, a.first_name, a.last_name, a.email, a.is_email_confirmed, a.is_demo, a.access_level, a.super_admin_areas,
    p.college_id, p.name, c.name, coalesce(p.time_zone, 'America/New_York')
  from api_key k
  join account a on a.id = k.account_id and a.deleted_at is null and a.deactivated_at is null and a.frozen_at is null
    and (a.program_id = k.program_id or a.access_level = 100)
  left join program p on p.id = k.program_id
  left join college c on c.id = p.college_id
  where (k.key_hash = hash or (k.previous_hash = hash and k.previous_until > now()) or k.id = of_key)
    and k.revoked_at is null and k.ended_at is null and (k.program_id is null or p.deleted_at is null)
$$;

-- Counts a call against the key's limit on all processes, and keeps when it was used last, to the minute.
create or replace function count_api_key_call(of_key bigint, from_address inet) returns table (calls integer, seconds integer)
  language sql security definer set search_path = public, pg_temp as $$
  update api_key set last_used_at = now(), last_used_address = from_address
    where id = of_key and (last_used_at is null or last_used_at < now() - interval '1 minute'
      or last_used_address is distinct from from_address);
  insert into throttle as t (key, count, window_ends_at) values ('api-key:' || of_key, 1, now() + interval '1 minute')
    on conflict (key) do update set
      count = case when t.window_ends_at < now() then 1 else least(t.count, 1000000) + 1 end,
      window_ends_at = case when t.window_ends_at < now() then excluded.window_ends_at else t.window_ends_at end
    returning count, greatest(1, ceil(extract(epoch from window_ends_at - now()))::integer)
$$;
