-- A session that a college's connection has opened ends with the connection, its link to the program, or the level that it reaches: whoever
-- disconnects one that others have taken over shuts them out at once. So does every session of a frozen account, one that began in that moment too.
create or replace function find_session(hash bytea) returns table (
  session_id bigint, csrf_token text, account_id bigint, session_college_id bigint, session_program_id bigint,
  template_id bigint, is_program_menu_enabled boolean, is_admin_menu_semi_hidden boolean,
  created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz,
  program_id bigint, user_name text, access_level smallint, super_admin_areas integer, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text,
  program_name text, college_name text, time_zone text, idle_minutes integer, is_anti_forgery_enabled boolean,
  viewer_id bigint, viewer_name text, needs_authenticator boolean, is_shared boolean
) language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.csrf_token, a.id,
    case when a.id = s.account_id then coalesce(s.college_id, p.college_id) else p.college_id end,
    case when a.id = s.account_id then coalesce(s.program_id, a.program_id) else a.program_id end,
    s.template_id, s.is_program_menu_enabled, s.is_admin_menu_semi_hidden, s.created_at, s.last_seen_at, s.expires_at,
    a.program_id, a.user_name, a.access_level, a.super_admin_areas, a.is_demo, a.email, a.is_email_confirmed,
    a.first_name, a.last_name, p.name, c.name, coalesce(p.time_zone, 'America/New_York'),
    case when s.is_shared then least(5, (p.options ->> 'SessionIdleMinutes')::integer)
      else coalesce((p.options ->> 'SessionIdleMinutes')::integer, 60) end,
    coalesce((select value <> 'false' from setting where setting.name = 'EnableAntiForgery'), true),
    case when a.id <> s.account_id then o.id end,
    case when a.id <> s.account_id then trim(o.first_name || ' ' || o.last_name) end,
    a.id = s.account_id and a.totp_secret is null and a.access_level >= 59 and coalesce(p.requires_totp, false),
    s.is_shared
  from session s
  join account o on o.id = s.account_id and o.deleted_at is null and o.deactivated_at is null and o.frozen_at is null
  join account a on a.id = coalesce(s.viewed_account_id, s.account_id) and a.deleted_at is null
    and a.deactivated_at is null and a.access_level <= o.access_level
  left join program p on p.id = a.program_id
  left join college c on c.id = p.college_id
  where s.token_hash = hash and s.ended_at is null and s.expires_at > now()
    and (a.program_id is null or p.deleted_at is null)
    and (s.provider_id is null or exists (
      select from saml_program l join saml_provider v on v.id = l.provider_id and v.deleted_at is null
      where l.provider_id = s.provider_id and l.program_id = o.program_id and l.removed_at is null
        and (v.kind = 'saml' or o.access_level <= l.access_level)))
$$;
