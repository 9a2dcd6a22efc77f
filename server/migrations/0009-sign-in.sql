-- Sign-in: authenticators and their recovery codes, mailed links, viewing as somebody else, registration.

alter table session
  -- The secret that was issued to this session and not saved yet, sealed as in account.totp_secret.
  add totp_draft text,
  add totp_draft_at timestamptz,
  -- Whom an administrator looks at through this session (product 3.1, "view as").
  add viewed_account_id bigint references account;

-- When the person registered by the program's link; null for people whom staff have added.
alter table account add registered_at timestamptz;

create table recovery_code (
  account_id bigint not null references account,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (account_id, code_hash)
);

create index one_time_token_email on one_time_token (lower(email)) where kind = 'magic_link' and used_at is null;
create index one_time_token_expires on one_time_token (expires_at);
create index throttle_window on throttle (window_ends_at);

-- While somebody is viewed, the session is the viewed person's to look at. It ends with the access of either of the two,
-- and when the viewed person has come to a higher level.
drop function find_session(bytea);
create function find_session(hash bytea) returns table (
  session_id bigint, csrf_token text, account_id bigint, session_college_id bigint, session_program_id bigint,
  template_id bigint, is_program_menu_enabled boolean, is_admin_menu_semi_hidden boolean,
  created_at timestamptz, last_seen_at timestamptz, expires_at timestamptz,
  program_id bigint, user_name text, access_level smallint, super_admin_areas integer, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text,
  program_name text, college_name text, time_zone text, idle_minutes integer, is_anti_forgery_enabled boolean,
  viewer_id bigint, viewer_name text, needs_authenticator boolean
) language sql stable security definer set search_path = public as $$
  select s.id, s.csrf_token, a.id,
    case when a.id = s.account_id then coalesce(s.college_id, p.college_id) else p.college_id end,
    case when a.id = s.account_id then coalesce(s.program_id, a.program_id) else a.program_id end,
    s.template_id, s.is_program_menu_enabled, s.is_admin_menu_semi_hidden, s.created_at, s.last_seen_at, s.expires_at,
    a.program_id, a.user_name, a.access_level, a.super_admin_areas, a.is_demo, a.email, a.is_email_confirmed,
    a.first_name, a.last_name, p.name, c.name, coalesce(p.time_zone, 'America/New_York'),
    coalesce((p.options ->> 'SessionIdleMinutes')::integer, 60),
    coalesce((select value <> 'false' from setting where setting.name = 'EnableAntiForgery'), true),
    case when a.id <> s.account_id then o.id end,
    case when a.id <> s.account_id then trim(o.first_name || ' ' || o.last_name) end,
    a.id = s.account_id and a.totp_secret is null and a.access_level >= 59 and coalesce(p.requires_totp, false)
  from session s
  join account o on o.id = s.account_id and o.deleted_at is null and o.deactivated_at is null
  join account a on a.id = coalesce(s.viewed_account_id, s.account_id) and a.deleted_at is null
    and a.deactivated_at is null and a.access_level <= o.access_level
  left join program p on p.id = a.program_id
  left join college c on c.id = p.college_id
  where s.token_hash = hash and s.ended_at is null and s.expires_at > now()
    and (a.program_id is null or p.deleted_at is null)
$$;

drop function find_login(text);
create function find_login(wanted text) returns table (
  account_id bigint, program_id bigint, user_name text, password_hash text, access_level smallint, totp_secret text,
  is_active boolean, needs_authenticator boolean, start_page text, email text
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, a.password_hash, a.access_level, a.totp_secret,
    a.deactivated_at is null and a.deleted_at is null and (a.program_id is null or p.deleted_at is null),
    a.totp_secret is null and a.access_level >= 59 and coalesce(p.requires_totp, false),
    a.preferences ->> 'StartPage', a.email
  from account a left join program p on p.id = a.program_id
  where lower(a.user_name) = lower(wanted)
$$;

-- A code of an authenticator works once: of two that race, the second waits for the row and finds its step used.
create function use_totp_step(of_account bigint, step bigint) returns boolean
  language sql security definer set search_path = public as $$
  with used as (
    update account set totp_last_step = step
    where id = of_account and totp_secret is not null and coalesce(totp_last_step, -1) < step
    returning 1)
  select exists (select from used)
$$;

-- Whether a new session of the account begins with the semi-hidden menu (D1-178).
create function begins_with_hidden_menu(of_account bigint) returns boolean
  language sql stable security definer set search_path = public as $$
  select not coalesce((select (preferences ->> 'IsMenuShown')::boolean from account where id = of_account), false)
$$;

-- Whose address a link confirms, for the page that asks; consumes nothing.
create function find_email_confirmation(hash bytea) returns table (
  account_id bigint, program_id bigint, user_name text, new_email text, program_name text, needs_password boolean
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, t.email, p.name, a.password_hash is null and a.registered_at is not null
  from one_time_token t join account a on a.id = t.account_id and a.deleted_at is null and a.deactivated_at is null
  left join program p on p.id = a.program_id
  where t.token_hash = hash and t.kind = 'email_confirmation' and t.used_at is null and t.expires_at > now()
    and (a.program_id is null or p.deleted_at is null)
$$;
create function use_email_confirmation(hash bytea) returns boolean
  language sql security definer set search_path = public as $$
  with used as (
    update one_time_token t set used_at = now()
    where t.token_hash = hash and t.kind = 'email_confirmation' and t.used_at is null and t.expires_at > now()
    returning t.account_id, t.email),
  confirmed as (
    update account a set email = used.email, is_email_confirmed = true from used
    where a.id = used.account_id and a.deleted_at is null and a.deactivated_at is null
    returning 1)
  select exists (select from confirmed)
$$;
