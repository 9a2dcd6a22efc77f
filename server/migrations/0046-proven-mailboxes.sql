-- Who signs in by a mailed link has read what was sent to the address, so it is confirmed for every account that has it.
create function confirm_mailbox(proven text) returns void language sql security definer set search_path = public as $$
  update account set is_email_confirmed = true
  where lower(email) = lower(proven) and proven <> '' and not is_email_confirmed
    and deleted_at is null and deactivated_at is null
$$;
