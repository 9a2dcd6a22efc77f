create or replace function count_ip_change() returns trigger language plpgsql as $$
begin
  update ip_access set version = version + 1;
  return null;
end $$;

-- All that a process needs to judge an address, before anybody is signed in; the addresses only when they changed.
create or replace function read_ip_access(known bigint) returns table (
  version bigint, mode smallint, countries text[], store_key text, networks text[]
) language sql stable security definer set search_path = public, pg_temp as $$
  select i.version, i.mode, i.countries, f.store_key,
    case when i.version is distinct from known
      then coalesce((select array_agg(w.network::text) from ip_whitelist w), '{}') end
  from ip_access i left join stored_file f on f.id = i.geo_file_id
$$;
