grant select (provider_id, last_success_at, last_error_at) on college_connection_state to app_across;

create or replace function offers_saml() returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from saml_provider v
    join saml_program l on l.provider_id = v.id and l.removed_at is null
    join program p on p.id = l.program_id and p.deleted_at is null
    where v.deleted_at is null and v.kind in ('saml', 'oidc'))
$$;

-- As before for SAML. Of every other protocol only the name counts, letter by letter and never the address, and the connection's
-- level is the highest that it opens.
create or replace function find_saml_accounts(of_provider bigint, wanted text, address text) returns table (
  account_id bigint, program_id bigint, user_name text, program_name text, by_name boolean
) language sql stable security definer set search_path = public, pg_temp as $$
  with provider as (select v.id, v.kind from saml_provider v where v.id = of_provider and v.deleted_at is null),
  named as (
    select u.account_id from saml_user u cross join provider v
    where u.provider_id = of_provider and lower(u.name_id) = lower(wanted)
      -- Names that are no addresses are made by machines and may differ in case alone.
      and (u.name_id = wanted or (v.kind = 'saml' and position('@' in wanted) > 0))),
  found as (
    select n.account_id as id, true as by_name from named n
    union all
    select a.id, false from account a cross join provider v
    where v.kind = 'saml' and not exists (select from named) and address <> '' and lower(a.email) = lower(address)
      and a.is_email_confirmed and a.deleted_at is null
      and not exists (select from saml_user u where u.provider_id = of_provider and u.program_id = a.program_id
        and u.account_id = a.id))
  select a.id, a.program_id, a.user_name, p.name, f.by_name
  from found f
  cross join provider v
  join account a on a.id = f.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
    and a.test_mode is null
  join program p on p.id = a.program_id and p.deleted_at is null
  join saml_program l on l.program_id = a.program_id and l.provider_id = of_provider and l.removed_at is null
    and (v.kind = 'saml' or a.access_level <= l.access_level)
  order by p.name, a.user_name
$$;

-- As before; a platform is no college to choose before signing in, for its launches begin there.
create or replace function find_saml_providers(wanted text, of_provider bigint) returns table (id bigint, name text, kind text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select v.id, v.name, v.kind from saml_provider v
  where v.deleted_at is null and (of_provider is null or v.id = of_provider) and v.name ilike wanted
    and (v.kind in ('saml', 'oidc') or of_provider is not null)
    and exists (
      select from saml_program l join program p on p.id = l.program_id and p.deleted_at is null
      where l.provider_id = v.id and l.removed_at is null)
  order by lower(v.name), v.id
$$;

-- Begins to use an address: of two openings at once one finds it busy. Tells whose rights it has; accounts are hidden from who is not
-- signed in.
create or replace function open_lti_registration(hash bytea, most_attempts integer, busy_seconds integer) returns table (
  provider_id bigint, name text, created_by bigint, access_level smallint, super_admin_areas integer
) language sql security definer set search_path = public, pg_temp as $$
  update lti_registration r set attempts = r.attempts + 1, busy_until = now() + make_interval(secs => busy_seconds)
  from saml_provider v, account a
  where r.token_hash = hash and r.expires_at > now() and r.attempts < most_attempts
    and (r.busy_until is null or r.busy_until < now())
    and v.id = r.provider_id and v.deleted_at is null and v.stage = 'awaits_lms'
    and exists (
      select from saml_program l join program p on p.id = l.program_id and p.deleted_at is null
      where l.provider_id = v.id and l.removed_at is null)
    and a.id = r.created_by and a.deleted_at is null and a.deactivated_at is null
  returning v.id, v.name, a.id, a.access_level, a.super_admin_areas
$$;
