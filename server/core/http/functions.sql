grant select on ip_access to app_across;
grant select (network) on ip_whitelist to app_across;

create or replace function count_ip_change() returns trigger language plpgsql as $$
begin
  update ip_access set version = version + 1;
  return null;
end $$;
