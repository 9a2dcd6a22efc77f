-- Whoever has opened one account of a mailbox goes on in its others without their passwords. So an account may be opened by nobody but the
-- mailbox's owner for that: not by the password that staff of some program gave it, nor by a college that answers for its own programs.

-- Somebody else may know the password: it was given, or is from before the account had its present address. A mailed link ends that.
alter table account add has_given_password boolean not null default false;
-- Nothing of it is a change of the people.
alter table account disable trigger user;
update account set has_given_password = true where password_hash is not null and not is_email_confirmed;
alter table account enable trigger user;

-- How the session was opened: by a link to a mailbox, or by the answer of a college.
-- The latter refers to saml_provider, which the sign-in that links a name has locked when the session begins on a connection of its own.
alter table session add mailbox text, add provider_id bigint;

drop function set_password(bigint, text);
create function set_password(of_account bigint, hash text, is_from_mailbox boolean) returns void language sql security definer
  set search_path = public, pg_temp as $$
  update account set password_hash = hash, password_changed_at = now(),
    has_given_password = has_given_password and not is_from_mailbox
  where id = of_account
$$;

create or replace function keep_confirmed_email() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if lower(new.email) <> lower(old.email) and new.password_hash is not null then new.has_given_password := true; end if;
  if new.is_email_confirmed then
    new.reset_email := null;
  elsif lower(new.email) = lower(old.reset_email) then
    new.is_email_confirmed := true;
    new.reset_email := null;
  elsif lower(new.email) <> lower(old.email) then
    if old.is_email_confirmed and old.email <> '' then new.reset_email := old.email; end if;
    if old.email <> '' then
      insert into address_change (account_id, before, after) values (old.id, old.email, new.email);
    end if;
  end if;
  return new;
end
$$;

-- With a college's connection only the accounts that it may open.
drop function find_accounts_by_email(text);
create function find_accounts_by_email(wanted text, of_provider bigint default null) returns table (
  account_id bigint, program_id bigint, user_name text, email text, is_email_confirmed boolean, program_name text,
  college_name text, access_level smallint
) language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.program_id, a.user_name, coalesce(a.reset_email, a.email), a.is_email_confirmed, p.name, c.name, a.access_level
  from account a left join program p on p.id = a.program_id left join college c on c.id = p.college_id
  where (lower(a.email) = lower(wanted) and a.reset_email is null or lower(a.reset_email) = lower(wanted)) and wanted <> ''
    and a.deleted_at is null and a.deactivated_at is null and (a.program_id is null or p.deleted_at is null)
    and (of_provider is null or a.access_level < 100 and a.test_mode is null and exists (
      select from saml_program l join saml_provider v on v.id = l.provider_id and v.deleted_at is null
      where l.provider_id = of_provider and l.program_id = a.program_id and l.removed_at is null
        and (v.kind = 'saml' or a.access_level <= l.access_level)))
  order by p.name nulls first, a.user_name
$$;
