-- Links an account to the name that the provider has just told, for somebody who has proved to own both. False where the connection
-- does not reach the account, where it has another name, or where somebody with another address has this one.
create or replace function link_college_name(of_provider bigint, of_account bigint, told text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  its_program bigint;
begin
  -- Two who claim one name at once come one after the other.
  perform from saml_provider v where v.id = of_provider and v.deleted_at is null and v.kind <> 'saml' for update;
  if not found then return false; end if;
  -- Whoever ends people waits for this, or is waited for.
  perform pg_advisory_xact_lock_shared(hashtextextended('people:' || a.program_id, 0)) from account a where a.id = of_account;
  select a.program_id into its_program
  from account a
  join program p on p.id = a.program_id and p.deleted_at is null
  join saml_program l on l.program_id = a.program_id and l.provider_id = of_provider and l.removed_at is null
    and a.access_level <= l.access_level
  where a.id = of_account and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100 and a.test_mode is null
    and not exists (select from saml_user u where u.provider_id = of_provider and u.account_id = a.id)
    and not exists (select from saml_user u join account o on o.id = u.account_id
      where u.provider_id = of_provider and u.name_id = told and lower(o.email) <> lower(a.email));
  if not found then return false; end if;
  insert into saml_user (program_id, account_id, provider_id, name_id, created_by)
    values (its_program, of_account, of_provider, told, of_account);
  return true;
end $$;

-- The people in reach of a connection with their names there, for super admins. Other calls see accounts of one program.
create or replace function connected_people(of_provider bigint) returns table (
  account_id bigint, program_id bigint, program_name text, email text, first_name text, last_name text, user_name text, name_id text,
  linked_at timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, p.id, p.name, a.email, a.first_name, a.last_name, a.user_name, u.name_id, u.updated_at
  from saml_program l
  join program p on p.id = l.program_id and p.deleted_at is null
  join account a on a.program_id = p.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
    and a.access_level <= l.access_level and a.test_mode is null
  left join saml_user u on u.program_id = a.program_id and u.account_id = a.id and u.provider_id = of_provider
  where l.provider_id = of_provider and l.removed_at is null and (select current_setting('app.super', true)) = 'on'
$$;

-- The names that people of a program have at a provider. The row-level security of names is for super admins.
create or replace function roster_names(of_program bigint, of_provider bigint) returns table (account_id bigint, name_id text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select u.account_id, u.name_id from saml_user u where u.program_id = of_program and u.provider_id = of_provider
$$;
