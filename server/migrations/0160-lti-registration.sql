-- Learning management systems that connect themselves (LTI Dynamic Registration): a connection begins as an address that is good once,
-- gets what the platform tells when it is opened there, and works after somebody has looked at that and turned it on.

alter table saml_provider
  add column stage text not null default 'on' check (stage in ('on', 'awaits_lms', 'awaits_approval')),
  drop constraint saml_provider_entity_id_check,
  drop constraint saml_provider_parts,
  add constraint saml_provider_stage_kind check (stage = 'on' or kind = 'lti'),
  add constraint saml_provider_parts check (
    case when stage = 'awaits_lms' then entity_id = '' and client_id = '' else entity_id <> '' and case kind
      when 'saml' then sso_url is not null and certificate is not null and certificate_expires_at is not null
      when 'lti' then client_id <> '' and auth_url is not null and keys_url is not null
      else client_id <> '' end end);
drop index saml_provider_entity;
create unique index saml_provider_entity on saml_provider (entity_id, client_id)
  where deleted_at is null and stage <> 'awaits_lms';

-- The address of a connection that no platform has opened yet. Gone once it was used.
create table lti_registration (
  provider_id bigint primary key references saml_provider,
  token_hash bytea not null unique,
  -- Whose rights it has.
  created_by bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Openings so far, and until when one of them is on its way.
  attempts integer not null default 0,
  busy_until timestamptz
);

-- Begins to use an address: of two openings at once one finds it busy. Tells whose rights it has; accounts are hidden from who is not
-- signed in.
create function open_lti_registration(hash bytea, most_attempts integer, busy_seconds integer) returns table (
  provider_id bigint, name text, created_by bigint, access_level smallint, super_admin_areas integer
) language sql security definer set search_path = public as $$
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
