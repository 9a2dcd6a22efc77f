grant select (id, name, kind, deleted_at) on saml_provider to app_across;
call read_across('saml_program', 'provider_id, program_id, access_level, removed_at');

-- The people of a provider's programs with their names there, for super admins. Other calls see accounts of one program.
create or replace function saml_users(of_provider bigint, of_program bigint, wanted text) returns table (
  id bigint, account_id bigint, program_id bigint, program_name text, college_name text, email text, first_name text,
  last_name text, user_name text, name_id text, created_at timestamptz, updated_at timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, a.id, p.id, p.name, c.name, a.email, a.first_name, a.last_name, a.user_name, u.name_id, u.created_at,
    u.updated_at
  from saml_program l
  join program p on p.id = l.program_id and p.deleted_at is null
  join college c on c.id = p.college_id
  join account a on a.program_id = p.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
    and a.test_mode is null
  left join saml_user u on u.program_id = a.program_id and u.account_id = a.id and u.provider_id = of_provider
  where l.provider_id = of_provider and l.removed_at is null and (of_program is null or l.program_id = of_program)
    and (wanted = '' or (a.first_name || ' ' || a.last_name || ' ' || a.user_name || ' ' || a.email || ' '
      || coalesce(u.name_id, '')) ilike wanted)
    and (select current_setting('app.super', true)) = 'on'
$$;
