-- People sign in with their user name or, where it leads to one account, with their email: exactly one account that is in use must have
-- confirmed it, and nobody may have changed it for them. User names have no @, so nobody takes another's email as one.
create or replace function find_login(wanted text) returns table (
  account_id bigint, program_id bigint, user_name text, password_hash text, access_level smallint, totp_secret text,
  is_active boolean, needs_authenticator boolean, start_page text, email text
) language sql stable security definer set search_path = public as $$
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
