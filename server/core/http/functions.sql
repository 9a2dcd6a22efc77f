grant select on ip_access to app_across;
grant select (network) on ip_whitelist to app_across;
