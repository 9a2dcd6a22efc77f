call read_across('mail', 'id, status, label, created_at, send_after, bounced_at, blocked_at, cancelled_at');

-- The bare address of 'Name <address>' in lower case.
create or replace function mail_address(recipient text) returns text language sql immutable parallel safe as $$
  select lower(btrim(coalesce(substring(recipient from '<([^<>]*)>'), recipient)))
$$;

-- A new kind of letter with its first texts, at the end of the list.
create or replace procedure add_mail_template(new_label text, about text, first_subject text, first_html text) language sql as $$
  insert into mail_template (label, place, description, subject, html)
  select new_label, coalesce(max(place), 0) + 1, about, first_subject, first_html from mail_template
$$;

-- The email addresses of a program's staff at a level, separated by commas; emails are also sent before anyone is signed in.
create or replace function staff_addresses(of_program bigint, of_level smallint) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select string_agg(s.email, ',') from (
    select email from account where program_id = of_program and access_level = of_level and email <> ''
      and deleted_at is null and deactivated_at is null order by id limit 50) s
$$;

create or replace function text_of_mail(subject text, html text) returns text language sql immutable as $$
  select md5(subject || E'\n' || html)
$$;

-- The first Spanish text of a kind of email, for the English one as it comes with the product. Where somebody has changed that, the Spanish
-- one is kept beside it and not used until somebody saves it.
create or replace procedure add_spanish_mail(of_label text, new_subject text, new_html text) language sql as $$
  update mail_template set spanish_subject = new_subject, spanish_html = new_html,
    spanish_of = case when updated_by is null then text_of_mail(subject, html) else '' end
  where label = of_label
$$;

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

create or replace function take_address_changes(at_most integer) returns table (
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
