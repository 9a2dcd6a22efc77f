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
