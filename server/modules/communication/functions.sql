call read_across('notification_copy', 'program_id, account_id');
call read_across('email_block', 'program_id, address, removed_at');
call read_across('feature_email', 'program_id, feature, times, recipients, sent_at, sent_by');

create or replace function tell_notifications() returns trigger language plpgsql as $$
begin
  -- A letter to hundreds is one message to the whole program (account 0).
  perform pg_notify('practicum_live', 'notifications:' || each.program_id || ':' || account)
  from (select program_id, array_agg(distinct account_id) as accounts from changed group by program_id) as each
  cross join lateral unnest(
    case when cardinality(each.accounts) > 100 then array[0::bigint] else each.accounts end) as account;
  return null;
end $$;

-- The entry that keeps an address of a program's letter from being written to; null when there is none.
create or replace function block_of(of_program bigint, recipient text) returns text language sql stable as $$
  select b.address from email_block b
  where b.removed_at is null and (b.program_id is null or b.program_id = of_program)
    and b.address in (mail_address(recipient), '@' || split_part(mail_address(recipient), '@', 2))
  order by b.address like '@%' limit 1
$$;

-- Security emails go to whoever they are for, whatever is on the list: without them somebody could not sign in, or would not
-- hear of a thief.
create or replace function email_block_of(of_label text, of_program bigint, recipient text) returns text language sql stable as $$
  select case when of_label like 'ACCOUNT\_%' and of_label <> 'ACCOUNT_created' or of_label in ('REGISTRANT_confirm', 'REGISTRANT_known')
    then null else block_of(of_program, recipient) end
$$;
