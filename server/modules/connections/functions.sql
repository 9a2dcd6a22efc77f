call read_across('lti_roster_member', 'program_id, account_id, course_id');

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
