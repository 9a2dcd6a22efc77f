-- Sign-in by OpenID Connect beside SAML. What is the same for every protocol is kept in the tables of the first one: a provider's
-- programs, the names that people have there, and sign-ins on their way.

alter table saml_provider
  add column kind text not null default 'saml' check (kind in ('saml', 'oidc')),
  -- How this installation is called by the provider; '' for SAML, where its address is the name.
  add column client_id text not null default '',
  -- Sealed; null for a provider that asks for none.
  add column client_secret text,
  -- The claim that names a person there: `sub`, or `oid` of Microsoft Entra, whose `sub` differs from application to application.
  add column subject_claim text not null default 'sub' check (subject_claim in ('sub', 'oid')),
  alter column sso_url drop not null,
  alter column certificate drop not null,
  alter column certificate_expires_at drop not null,
  add constraint saml_provider_parts check (case kind
    when 'saml' then sso_url is not null and certificate is not null and certificate_expires_at is not null
    else client_id <> '' end);
-- One issuer may serve several colleges, each by its own client.
drop index saml_provider_entity;
create unique index saml_provider_entity on saml_provider (entity_id, client_id) where deleted_at is null;

-- How a connection is doing. A table of its own: what happens there changes nothing that somebody is editing.
create table college_connection_state (
  provider_id bigint primary key references saml_provider,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default ''
);

alter table saml_request
  -- Of OpenID Connect; the verifier is sealed.
  add column nonce text,
  add column verifier text;

drop function find_saml_providers(text, bigint);
-- Providers that somebody who is not signed in may choose from; `of_provider` asks for one.
create function find_saml_providers(wanted text, of_provider bigint) returns table (id bigint, name text, kind text)
  language sql stable security definer set search_path = public as $$
  select v.id, v.name, v.kind from saml_provider v
  where v.deleted_at is null and (of_provider is null or v.id = of_provider) and v.name ilike wanted
    and v.kind in ('saml', 'oidc')
    and exists (
      select from saml_program l join program p on p.id = l.program_id and p.deleted_at is null
      where l.provider_id = v.id and l.removed_at is null)
  order by lower(v.name), v.id
$$;

create or replace function offers_saml() returns boolean
  language sql stable security definer set search_path = public as $$
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
) language sql stable security definer set search_path = public as $$
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

-- Links an account to the name that the provider has just told, for somebody who has proved to own both. False where the connection
-- does not reach the account, where it has another name, or where somebody with another address has this one.
create function link_college_name(of_provider bigint, of_account bigint, told text) returns boolean
  language plpgsql security definer set search_path = public as $$
declare
  its_program bigint;
begin
  -- Two who claim one name at once come one after the other.
  perform from saml_provider v where v.id = of_provider and v.deleted_at is null and v.kind <> 'saml' for update;
  if not found then return false; end if;
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
create function connected_people(of_provider bigint) returns table (
  account_id bigint, program_id bigint, program_name text, email text, first_name text, last_name text, user_name text, name_id text,
  linked_at timestamptz
) language sql stable security definer set search_path = public as $$
  select a.id, p.id, p.name, a.email, a.first_name, a.last_name, a.user_name, u.name_id, u.updated_at
  from saml_program l
  join program p on p.id = l.program_id and p.deleted_at is null
  join account a on a.program_id = p.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
    and a.access_level <= l.access_level and a.test_mode is null
  left join saml_user u on u.program_id = a.program_id and u.account_id = a.id and u.provider_id = of_provider
  where l.provider_id = of_provider and l.removed_at is null and (select current_setting('app.super', true)) = 'on'
$$;
