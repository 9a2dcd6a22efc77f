-- The link of an email that mutes its kind: whoever follows it has no session, so these reach one account by its id, which
-- the link's signature vouches for.
create function find_muted(of_account bigint, of_label text)
returns table (program_id bigint, email text, is_muted boolean)
language sql stable security definer set search_path = public as $$
  select a.program_id, a.email, coalesce(a.preferences -> 'MutedEmails' @> to_jsonb(of_label), false)
  from account a where a.id = of_account and a.deleted_at is null
$$;

create function set_muted(of_account bigint, of_label text, mutes boolean) returns void
language sql security definer set search_path = public as $$
  update account a set preferences = a.preferences || jsonb_build_object('MutedEmails',
    (coalesce(a.preferences -> 'MutedEmails', '[]') - of_label) ||
    case when mutes then jsonb_build_array(of_label) else '[]' end)
  where a.id = of_account and a.deleted_at is null
$$;
