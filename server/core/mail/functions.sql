grant select on mail_template to app_across;
call read_across('mail', 'id, status, label, created_at, send_after, bounced_at, blocked_at, cancelled_at');

-- The bare address of 'Name <address>' in lower case.
create or replace function mail_address(recipient text) returns text language sql immutable parallel safe as $$
  select lower(btrim(coalesce(substring(recipient from '<([^<>]*)>'), recipient)))
$$;

create or replace function keep_confirmed_email() returns trigger language plpgsql as $$
declare
  was_confirmed boolean := old.is_email_confirmed or old.reset_email is not null;
begin
  if lower(new.email) <> lower(old.email) then
    if new.password_hash is not null then new.has_given_password := true; end if;
    update one_time_token set used_at = now() where account_id = old.id and kind = 'password_reset' and used_at is null;
  end if;
  if new.is_email_confirmed then
    new.reset_email := null;
  elsif lower(new.email) = lower(old.reset_email) then
    new.is_email_confirmed := true;
    new.reset_email := null;
  elsif lower(new.email) <> lower(old.email) then
    if old.is_email_confirmed and old.email <> '' then new.reset_email := old.email; end if;
    if old.email <> '' then
      insert into address_change (account_id, before, after, was_confirmed)
        values (old.id, coalesce(old.reset_email, old.email), new.email, was_confirmed);
    end if;
  end if;
  return new;
end
$$;
