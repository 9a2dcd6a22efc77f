call read_across('inbox_exclusion', 'program_id, account_id');

create or replace function inbox_accounts(of_address text) returns table (
  account_id bigint, program_id bigint, user_name text, access_level smallint, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text, program_name text, college_id bigint, college_name text,
  time_zone text, needs_sign_in boolean, is_muted boolean
) language sql stable security definer set search_path = public, pg_temp as $$
  select * from inbox_accounts_of(of_address, null)
$$;

-- The accounts that an inbox link of an address serves: supervisors of programs that take part, as they are now; of one alone where it is
-- named. Who has to do something else first (accept the license, prove an authenticator) signs in for it. It has the rights of whoever
-- calls it, so that it can be put in place of its call.
create or replace function inbox_accounts_of(of_address text, of_account bigint) returns table (
  account_id bigint, program_id bigint, user_name text, access_level smallint, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text, program_name text, college_id bigint, college_name text,
  time_zone text, needs_sign_in boolean, is_muted boolean
) language sql stable as $$
  select a.id, a.program_id, a.user_name, a.access_level, a.is_demo, a.email, a.is_email_confirmed, a.first_name, a.last_name,
    p.name, p.college_id, c.name, coalesce(p.time_zone, 'America/New_York'),
    a.totp_secret is not null or needs_eula(a.id),
    coalesce(a.preferences -> 'MutedEmails' @> '"INBOX_weekly"'::jsonb, false)
  from account a
  join program p on p.id = a.program_id and p.deleted_at is null
  join college c on c.id = p.college_id
  join inbox_setting s on s.program_id = a.program_id and s.is_on
  where of_address <> '' and lower(a.email) = lower(of_address) and a.deleted_at is null and a.deactivated_at is null
    and a.access_level in (49, 50) and (of_account is null or a.id = of_account)
    and not exists (select from inbox_exclusion x where x.program_id = a.program_id and x.account_id = a.id)
$$;
