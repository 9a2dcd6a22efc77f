call read_across('scim_user', 'program_id, account_id, provider_id, external_id, deleted_at');
call read_across('scim_connection', 'program_id, provider_id, key_hash, previous_hash, previous_until, max_level, default_level, adopts_by_email, last_error_at');

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
