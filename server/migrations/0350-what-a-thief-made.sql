-- What somebody made who had taken over an account goes when its owner says so, not its keys alone: it would open the account again, or
-- go on telling of it, once a new password or staff have ended the freeze.

-- Since when the account has its authenticator; null for those from before this was kept.
alter table account add totp_since timestamptz;
-- Who changed a webhook last and when is about where it leads, not about how its last call went.
drop trigger touch on webhook_endpoint;
create trigger touch before update of url, events, secret on webhook_endpoint for each row execute function touch();

drop function revoke_keys_since(bigint, timestamptz);
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
create or replace function find_calendar_feed(hash bytea)
returns table (program_id bigint, account_id bigint, access_level smallint, program_name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.program_id, f.account_id, a.access_level, p.name
  from calendar_feed f
  join account a on a.id = f.account_id and (a.program_id = f.program_id or a.access_level = 100)
    and a.deleted_at is null and a.deactivated_at is null and a.frozen_at is null
  join program p on p.id = f.program_id and p.deleted_at is null
  where f.token_hash = hash
$$;
