call read_across('scim_connection', 'provider_id, last_error_at');

-- Whose key it is, asked before a program is known.
create or replace function find_scim_connection(hash bytea) returns table (
  program_id bigint, provider_id bigint, provider_name text, provider_kind text, max_level smallint, default_level smallint,
  adopts_by_email boolean
) language sql stable security definer set search_path = public, pg_temp as $$
  select c.program_id, c.provider_id, v.name, v.kind, c.max_level, c.default_level, c.adopts_by_email
  from scim_connection c
  join saml_provider v on v.id = c.provider_id and v.deleted_at is null
  join saml_program l on l.program_id = c.program_id and l.provider_id = c.provider_id and l.removed_at is null
  join program p on p.id = c.program_id and p.deleted_at is null
  where c.key_hash = hash or (c.previous_hash = hash and c.previous_until > now())
$$;

-- Keeps by which name the provider knows a person that its directory has told. A name that somebody gave otherwise stays, and so
-- does one that a person with another address has. The row-level security of names is for super admins.
create or replace function save_scim_name(of_program bigint, of_provider bigint, of_account bigint, told text, last text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if told = '' or not exists (select from scim_connection c where c.program_id = of_program and c.provider_id = of_provider)
    then return; end if;
  perform from saml_provider v where v.id = of_provider for update;
  if exists (select from saml_user u join account o on o.id = u.account_id join account a on a.id = of_account
    where u.provider_id = of_provider and u.name_id = told and u.account_id <> of_account and lower(o.email) <> lower(a.email))
    then return; end if;
  insert into saml_user as u (program_id, account_id, provider_id, name_id) values (of_program, of_account, of_provider, told)
    on conflict (program_id, account_id, provider_id) do update set name_id = told where u.name_id = last;
end $$;

-- The account of a program that bears a name at the provider.
create or replace function find_scim_named(of_program bigint, of_provider bigint, told text) returns bigint
  language sql stable security definer set search_path = public, pg_temp as $$
  select u.account_id from saml_user u where u.program_id = of_program and u.provider_id = of_provider and u.name_id = told
  order by u.account_id limit 1
$$;
