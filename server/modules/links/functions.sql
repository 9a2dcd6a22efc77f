call read_across('scoped_link', 'program_id, id, kind, token_hash, recipient_email, created_at, expires_at, withdrawn_at');
call read_across('scoped_link_use', 'program_id, link_id, action, at');
call read_across('scoped_link_device', 'program_id, link_id, id, agent');

-- Ends the inbox links of an address, also those of other programs: whoever has lost a phone has lost it for all of them. One may be
-- kept: the newest, once a device has opened it.
create or replace function withdraw_inbox_links(of_address text, by_account bigint, kept bigint) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update scoped_link set withdrawn_at = now(), withdrawn_by = by_account, code_hash = null, code_expires_at = null
    where kind = 'inbox' and lower(recipient_email) = lower(of_address) and withdrawn_at is null and id is distinct from kept
    returning 1)
  select count(*)::integer from ended
$$;

-- An inbox link that can be opened, for a device that keeps these secrets of links: whether one of them has opened it within the hour,
-- and where it has, a row for each account of its address, or for the one that is named. Without an account those columns are null.
create or replace function open_inbox(hash bytea, links bigint[], secrets bytea[], of_account bigint) returns table (
  link_id bigint, recipient_name text, recipient_email text, expires_at timestamptz, is_opened boolean,
  account_id bigint, program_id bigint, user_name text, access_level smallint, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text, program_name text, college_id bigint, college_name text,
  time_zone text, needs_sign_in boolean, is_muted boolean
) language sql stable security definer set search_path = public, pg_temp as $$
  select l.id, l.recipient_name, l.recipient_email, l.expires_at, d.is_opened, a.*
  from scoped_link l
  join program p on p.id = l.program_id and p.deleted_at is null
  cross join lateral (select exists (
    select from unnest(links, secrets) k (link_id, secret)
    join scoped_link_device v on v.program_id = l.program_id and v.link_id = l.id and v.secret_hash = k.secret
      and v.opened_at > now() - interval '1 hour'
    where k.link_id = l.id) as is_opened) d
  left join lateral (select * from inbox_accounts_of(l.recipient_email, of_account) where d.is_opened) a on true
  where l.token_hash = hash and l.kind = 'inbox' and l.withdrawn_at is null and l.expires_at > now()
    and not exists (select from account f where f.id = a.account_id and f.frozen_at is not null)
$$;
