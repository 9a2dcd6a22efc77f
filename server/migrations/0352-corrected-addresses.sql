-- An address that was entered wrongly and corrected is somebody else's mailbox: what was mailed there opens nothing any longer, and who reads
-- it there may freeze the account, and not bring that address back.

-- Whether the owner had confirmed the address before.
alter table address_change add was_confirmed boolean not null default true;

create or replace function keep_confirmed_email() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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

drop function take_address_changes(integer);
create function take_address_changes(at_most integer) returns table (
  account_id bigint, program_id bigint, user_name text, email text, program_name text, before text, after text, is_waiting boolean,
  was_confirmed boolean
) language sql volatile security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from address_change where id in (select id from address_change order by id for update skip locked limit at_most)
    returning *)
  select a.id, a.program_id, a.user_name, a.email, p.name, t.before, t.after,
    a.reset_email is not null and lower(a.email) = lower(t.after) and t.after <> '', t.was_confirmed
  from taken t join account a on a.id = t.account_id and a.deleted_at is null left join program p on p.id = a.program_id
  order by t.id
$$;
