grant select (account_id, ended_at, last_seen_at, created_at) on session to app_across;
grant select (token_hash, kind, used_at, expires_at, account_id) on one_time_token to app_across;
grant select (eula_id, account_id) on eula_acceptance to app_across;

create or replace function tell_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'session:' || new.id);
  return null;
end $$;

-- People sign in with their user name or, where it leads to one account, with their email: exactly one account that is in use must have
-- confirmed it, and nobody may have changed it for them. User names have no @, so nobody takes another's email as one.
create or replace function find_login(wanted text) returns table (
  account_id bigint, program_id bigint, user_name text, password_hash text, access_level smallint, totp_secret text,
  is_active boolean, needs_authenticator boolean, start_page text, email text
) language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.program_id, a.user_name, a.password_hash, a.access_level, a.totp_secret,
    a.deactivated_at is null and a.deleted_at is null and (a.program_id is null or p.deleted_at is null),
    a.totp_secret is null and a.access_level >= 59 and coalesce(p.requires_totp, false),
    a.preferences ->> 'StartPage', a.email
  from account a left join program p on p.id = a.program_id
  where a.id = coalesce(
    (select n.id from account n where lower(n.user_name) = lower(wanted)),
    (select min(e.id) from account e left join program o on o.id = e.program_id
      where wanted like '%@%' and lower(e.email) = lower(wanted) and e.is_email_confirmed and e.reset_email is null
        and e.deleted_at is null and e.deactivated_at is null and (e.program_id is null or o.deleted_at is null)
      having count(*) = 1))
$$;

-- A code of an authenticator works once: of two that race, the second waits for the row and finds its step used.
create or replace function use_totp_step(of_account bigint, step bigint) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
  with used as (
    update account set totp_last_step = step
    where id = of_account and totp_secret is not null and coalesce(totp_last_step, -1) < step
    returning 1)
  select exists (select from used)
$$;

create or replace function find_email_confirmation(hash bytea) returns table (
  account_id bigint, program_id bigint, user_name text, new_email text, program_name text, needs_password boolean
) language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.program_id, a.user_name, t.email, p.name, a.password_hash is null and a.registered_at is not null
  from one_time_token t join account a on a.id = t.account_id and a.deleted_at is null and a.deactivated_at is null
    and a.frozen_at is null
  left join program p on p.id = a.program_id
  where t.token_hash = hash and t.kind = 'email_confirmation' and t.used_at is null and t.expires_at > now()
    and (a.program_id is null or p.deleted_at is null)
$$;

create or replace function use_email_confirmation(hash bytea) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
  with used as (
    update one_time_token t set used_at = now()
    where t.token_hash = hash and t.kind = 'email_confirmation' and t.used_at is null and t.expires_at > now()
    returning t.account_id, t.email),
  confirmed as (
    update account a set email = used.email, is_email_confirmed = true from used
    where a.id = used.account_id and a.deleted_at is null and a.deactivated_at is null and a.frozen_at is null
    returning 1)
  select exists (select from confirmed)
$$;

-- Whether the account has still to accept the current text. Asked with every session.
create or replace function needs_eula(of_account bigint) returns boolean language sql stable as $$
  select exists (
    select from (select id, is_asked from eula order by id desc limit 1) e
    where e.is_asked and not exists (
      select from eula_acceptance x where x.eula_id = e.id and x.account_id = of_account))
$$;

-- Whether an email is to one of the demo's own people, whose emails may be looked at where no mail server takes them.
create or replace function is_demo_account(wanted bigint) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from account a where a.id = wanted and a.is_demo)
$$;

-- Whose address was changed by somebody else confirms it by its own link: signing in to another account with it proves nothing here.
create or replace function confirm_mailbox(proven text) returns void language sql security definer set search_path = public, pg_temp as $$
  update account set is_email_confirmed = true
  where lower(email) = lower(proven) and proven <> '' and not is_email_confirmed and reset_email is null
    and deleted_at is null and deactivated_at is null
$$;

-- A session that a college's connection has opened ends with the connection, its link to the program, or the level that it reaches: whoever
-- disconnects one that others have taken over shuts them out at once. So does every session of a frozen account, one that began in that moment too.
create or replace function find_session(hash bytea) returns table (
  session_id bigint, csrf_token text, account_id bigint, session_college_id bigint, session_program_id bigint,
  template_id bigint, is_program_menu_enabled boolean, is_admin_menu_semi_hidden boolean,
  created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz,
  program_id bigint, user_name text, access_level smallint, super_admin_areas integer, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text,
  program_name text, college_name text, time_zone text, idle_minutes integer, is_anti_forgery_enabled boolean,
  viewer_id bigint, viewer_name text, needs_authenticator boolean, is_shared boolean, proven_at timestamptz, language text
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
    s.is_shared, s.proven_at, a.language
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

-- Kept at sign-in, so that emails come in the language of the pages.
create or replace function note_browser_language(of_account bigint, preferred text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update account set browser_language = preferred
  where id = of_account and browser_language is distinct from preferred
$$;

create or replace function use_not_me(hash bytea) returns table (
  account_id bigint, program_id bigint, user_name text, email text, name text, program_name text
) language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  used one_time_token;
  since timestamptz;
begin
  update one_time_token t set used_at = now()
  where t.token_hash = hash and t.kind = 'not_me' and t.used_at is null and t.expires_at > now()
  returning * into used;
  if used.id is null then return; end if;
  since := used.created_at - interval '1 hour';
  update account a set frozen_at = now(), email = coalesce(used.email, a.email),
    is_email_confirmed = used.email is not null or a.is_email_confirmed,
    password_hash = case when a.password_changed_at >= since then null else a.password_hash end,
    totp_secret = case when a.totp_since >= since then null else a.totp_secret end
  where a.id = used.account_id and a.deleted_at is null;
  update session s set ended_at = now() where s.account_id = used.account_id and s.ended_at is null;
  update one_time_token t set used_at = now()
  where t.account_id = used.account_id and t.used_at is null
    -- A thief has such links too, of a later change: the older one decides.
    and (t.kind in ('password_reset', 'email_confirmation') or t.kind = 'not_me' and t.id > used.id);
  update api_key k set revoked_at = now()
  where k.account_id = used.account_id and k.revoked_at is null and (k.created_at >= since or k.previous_until >= since);
  delete from recovery_code c where c.account_id = used.account_id and c.created_at >= since;
  delete from calendar_feed f where f.account_id = used.account_id and f.created_at >= since;
  -- Those that staff have entered stay.
  delete from saml_user u where u.account_id = used.account_id and u.created_by = used.account_id and u.created_at >= since;
  -- Those that show students' records to whomever they were sent.
  update scoped_link l set withdrawn_at = now(), withdrawn_by = used.account_id, code_hash = null, code_expires_at = null
  where l.created_by = used.account_id and l.created_at >= since and l.withdrawn_at is null and l.kind in ('packet', 'list', 'places');
  update evaluation_link l set ended_at = now()
  where l.created_by = used.account_id and l.created_at >= since and l.ended_at is null;
  update supervision_link l set ended_at = now()
  where l.created_by = used.account_id and l.created_at >= since and l.ended_at is null;
  update shared_site_code c set expires_at = now()
  where c.created_by = used.account_id and c.expires_at - interval '14 days' >= since and c.expires_at > now() and c.used_at is null;
  -- What was mailed to others to open an account with, and what is not sent yet. What tells the owner goes out.
  update one_time_token t set used_at = now()
  where t.caused_by = used.account_id and t.account_id <> used.account_id and t.created_at >= since and t.used_at is null
    and t.kind = 'password_reset';
  update mail m set status = 4, cancelled_at = now(),
    status_message = 'Held: the account that caused it was frozen. It was not sent. Retry sends it.'
  where m.caused_by = used.account_id and m.created_at >= since and m.status = 1 and m.account_id is distinct from used.account_id;
  update email_notice n set is_held = true
  where n.caused_by = used.account_id and n.account_id <> used.account_id;
  -- Files and imports that the worker has not ended.
  update background_task b set state = 'canceled', finished_at = clock_timestamp(), expires_at = clock_timestamp() + interval '1 day'
  where b.account_id = used.account_id and b.state in ('queued', 'running');
  update webhook_endpoint w set is_enabled = false,
    disabled_reason = 'whoever added or changed it last says that somebody else had their account. Check its address before you switch it on.'
  where w.is_enabled and w.deleted_at is null and (w.created_by = used.account_id and w.created_at >= since
    or w.updated_by = used.account_id and w.updated_at >= since);
  return query select a.id, a.program_id, a.user_name, a.email, trim(a.first_name || ' ' || a.last_name), p.name
    from account a left join program p on p.id = a.program_id where a.id = used.account_id;
end
$$;

-- A frozen account is shut, whatever was on its way at that moment, such as the confirmation of another address.
create or replace function end_freeze(of_account bigint) returns void language sql security definer set search_path = public, pg_temp as $$
  update session set ended_at = now() where account_id = of_account and ended_at is null
    and exists (select from account where id = of_account and frozen_at is not null);
  update account set frozen_at = null where id = of_account and frozen_at is not null
$$;

create or replace function set_password(of_account bigint, hash text, is_from_mailbox boolean) returns void language sql security definer
  set search_path = public, pg_temp as $$
  update account set password_hash = hash, password_changed_at = now(),
    has_given_password = has_given_password and not is_from_mailbox
  where id = of_account;
  -- With the old password ends what somebody else may have begun by it: a link to set another one, and another address.
  update one_time_token t set used_at = now() from account a
  where t.account_id = of_account and a.id = of_account and t.used_at is null
    and (t.kind = 'password_reset' or t.kind = 'email_confirmation' and lower(t.email) <> lower(a.email))
$$;
