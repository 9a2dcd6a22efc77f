-- /etc/patroni/roles.sql: run once, by the node that makes the cluster.
create role practicum login createrole password 'change-this-practicum';
create role pgbouncer login password 'change-this-pgbouncer';
create database practicum owner practicum;
-- PgBouncer refuses settings that come with the connecting, so they belong to the roles.
alter role all set tcp_user_timeout = '5s';
alter role all set tcp_keepalives_idle = '10s';
alter role all set tcp_keepalives_interval = '2s';
alter role all set tcp_keepalives_count = 3;
alter role all set client_connection_check_interval = '5s';
\connect practicum
-- Whom PgBouncer lets in. The product makes its serving role by itself, so no list of people has to know its password.
create schema pgbouncer authorization pgbouncer;
create function pgbouncer.secret_of(asked text) returns table (name text, secret text)
language sql stable security definer set search_path = pg_catalog as $$
  select rolname::text, rolpassword from pg_authid
  where rolname = asked and rolcanlogin and not rolsuper and not rolreplication
$$;
revoke all on function pgbouncer.secret_of from public;
grant execute on function pgbouncer.secret_of to pgbouncer;
