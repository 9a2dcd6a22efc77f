-- A session alone is no longer enough for what would make a takeover last: the last proof of who sits at it, and a mailed code for
-- those without a password.
alter table session add proven_at timestamptz, add proof_code bytea, add proof_code_until timestamptz;

-- The address that links to sign in and to set a password go to while the present one was changed and not confirmed; null otherwise.
alter table account add reset_email text;
-- Since when somebody who has the mailbox says that a change was not theirs: nobody gets in until a new password or staff end it.
alter table account add frozen_at timestamptz;
create index account_reset_email on account (lower(reset_email)) where reset_email is not null;

-- What has to be told to the address before and the one after; the worker does it.
create table address_change (
  id bigint generated always as identity primary key,
  account_id bigint not null references account,
  before text not null,
  after text not null,
  changed_at timestamptz not null default now()
);

create function keep_confirmed_email() returns trigger language plpgsql security definer set search_path = public as $$
begin
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
create trigger keep_confirmed_email before update of email, is_email_confirmed on account for each row execute function keep_confirmed_email();

create or replace function find_accounts_by_email(wanted text) returns table (
  account_id bigint, program_id bigint, user_name text, email text, is_email_confirmed boolean, program_name text,
  college_name text, access_level smallint
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, coalesce(a.reset_email, a.email), a.is_email_confirmed, p.name, c.name, a.access_level
  from account a left join program p on p.id = a.program_id left join college c on c.id = p.college_id
  where (lower(a.email) = lower(wanted) and a.reset_email is null or lower(a.reset_email) = lower(wanted)) and wanted <> ''
    and a.deleted_at is null and a.deactivated_at is null and (a.program_id is null or p.deleted_at is null)
  order by p.name nulls first, a.user_name
$$;
create or replace function find_account_by_user_name(wanted text) returns table (
  account_id bigint, program_id bigint, user_name text, email text, is_email_confirmed boolean, program_name text,
  college_name text, access_level smallint
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, coalesce(a.reset_email, a.email), a.is_email_confirmed, p.name, c.name, a.access_level
  from account a left join program p on p.id = a.program_id left join college c on c.id = p.college_id
  where lower(a.user_name) = lower(wanted) and coalesce(a.reset_email, a.email) <> '' and a.deleted_at is null
    and a.deactivated_at is null and (a.program_id is null or p.deleted_at is null)
$$;
-- Whose address was changed by somebody else confirms it by its own link: signing in to another account with it proves nothing here.
create or replace function confirm_mailbox(proven text) returns void language sql security definer set search_path = public as $$
  update account set is_email_confirmed = true
  where lower(email) = lower(proven) and proven <> '' and not is_email_confirmed and reset_email is null
    and deleted_at is null and deactivated_at is null
$$;

-- Links of “this was not me”: `email` is the address before the change, to which the account goes back; null for the one after it.
alter table one_time_token drop constraint one_time_token_kind_check;
alter table one_time_token add constraint one_time_token_kind_check
  check (kind in ('password_reset', 'magic_link', 'email_confirmation', 'not_me'));

create function find_not_me(hash bytea) returns table (account_id bigint, user_name text, program_name text)
language sql stable security definer set search_path = public as $$
  select a.id, a.user_name, p.name
  from one_time_token t join account a on a.id = t.account_id and a.deleted_at is null
  left join program p on p.id = a.program_id
  where t.token_hash = hash and t.kind = 'not_me' and t.used_at is null and t.expires_at > now()
$$;

-- Freezes the account of such a link, once: every session and every other link of it ends, and its address is the one before again.
create function use_not_me(hash bytea) returns table (
  account_id bigint, program_id bigint, user_name text, email text, name text, program_name text
) language plpgsql volatile security definer set search_path = public as $$
declare
  used one_time_token;
begin
  update one_time_token t set used_at = now()
  where t.token_hash = hash and t.kind = 'not_me' and t.used_at is null and t.expires_at > now()
  returning * into used;
  if used.id is null then return; end if;
  update account a set frozen_at = now(), email = coalesce(used.email, a.email),
    is_email_confirmed = used.email is not null or a.is_email_confirmed
  where a.id = used.account_id and a.deleted_at is null;
  update session s set ended_at = now() where s.account_id = used.account_id and s.ended_at is null;
  update one_time_token t set used_at = now()
  where t.account_id = used.account_id and t.used_at is null
    -- A thief has such links too, of a later change: the older one decides.
    and (t.kind in ('password_reset', 'email_confirmation') or t.kind = 'not_me' and t.id > used.id);
  perform revoke_keys_since(used.account_id, used.created_at - interval '1 hour');
  return query select a.id, a.program_id, a.user_name, a.email, trim(a.first_name || ' ' || a.last_name), p.name
    from account a left join program p on p.id = a.program_id where a.id = used.account_id;
end
$$;
-- What was made with the rights of the account since the change goes with it.
create function revoke_keys_since(of_account bigint, since timestamptz) returns void language sql security definer
set search_path = public as $$
  update api_key set revoked_at = now() where account_id = of_account and revoked_at is null and (created_at >= since or previous_until >= since)
$$;
create function is_frozen(of_account bigint) returns boolean language sql stable security definer set search_path = public as $$
  select exists (select from account where id = of_account and frozen_at is not null)
$$;
create function end_freeze(of_account bigint) returns void language sql security definer set search_path = public as $$
  update account set frozen_at = null where id = of_account and frozen_at is not null
$$;
-- Who is told that an account was frozen: the program's administrators, its directors where it has none; super admins for an account
-- without a program.
create function freeze_readers(of_account bigint) returns table (account_id bigint, program_id bigint, email text)
language sql stable security definer set search_path = public as $$
  with told as (
    select o.id, o.program_id, o.email, o.access_level
    from account a join account o on o.program_id is not distinct from a.program_id and o.id <> a.id
    where a.id = of_account and o.access_level >= 79 and o.email <> '' and o.deleted_at is null and o.deactivated_at is null)
  select id, program_id, email from told t
  where access_level >= 89 or not exists (select from told where access_level >= 89)
  order by id limit 20
$$;

create or replace function find_api_key(hash bytea, of_key bigint default null) returns table (
  key_id bigint, key_name text, key_program_id bigint, rights text[], networks text[], calls_per_minute integer, is_expired boolean,
  account_id bigint, user_name text, first_name text, last_name text, email text, is_email_confirmed boolean, is_demo boolean,
  access_level smallint, super_admin_areas integer,
  college_id bigint, program_name text, college_name text, time_zone text
) language sql stable security definer set search_path = public as $$
  select k.id, k.name, k.program_id, k.rights, k.networks::text[], k.calls_per_minute, coalesce(k.expires_at <= now(), false),
    a.id, a.user_name, a.first_name, a.last_name, a.email, a.is_email_confirmed, a.is_demo, a.access_level, a.super_admin_areas,
    p.college_id, p.name, c.name, coalesce(p.time_zone, 'America/New_York')
  from api_key k
  join account a on a.id = k.account_id and a.deleted_at is null and a.deactivated_at is null and a.frozen_at is null
    and (a.program_id = k.program_id or a.access_level = 100)
  left join program p on p.id = k.program_id
  left join college c on c.id = p.college_id
  where (k.key_hash = hash or (k.previous_hash = hash and k.previous_until > now()) or k.id = of_key)
    and k.revoked_at is null and (k.program_id is null or p.deleted_at is null)
$$;

create function find_told_account(of_account bigint) returns table (
  account_id bigint, program_id bigint, user_name text, email text, program_name text
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, a.email, p.name from account a left join program p on p.id = a.program_id
  where a.id = of_account and a.deleted_at is null and a.deactivated_at is null
$$;
-- Takes the changes of addresses that nobody was told of; only of accounts that somebody could take over.
create function take_address_changes(at_most integer) returns table (
  account_id bigint, program_id bigint, user_name text, email text, program_name text, before text, after text, is_waiting boolean
) language sql volatile security definer set search_path = public as $$
  with taken as (
    delete from address_change where id in (select id from address_change order by id for update skip locked limit at_most)
    returning *)
  select a.id, a.program_id, a.user_name, a.email, p.name, t.before, t.after,
    a.reset_email is not null and lower(a.email) = lower(t.after) and t.after <> ''
  from taken t join account a on a.id = t.account_id and a.deleted_at is null left join program p on p.id = a.program_id
  order by t.id
$$;

-- Devices that an account has signed in on, by the hash of their cookie, and the countries that it has signed in from.
create table known_device (
  account_id bigint not null references account,
  device_hash bytea not null,
  country text,
  last_seen_at timestamptz not null default now(),
  primary key (account_id, device_hash)
);
create index known_device_last_seen on known_device (last_seen_at);

-- Remembers the device; tells what of it the account has never had before. Nothing is new to who signs in for the first time.
create function note_device(of_account bigint, hash bytea, from_country text) returns table (is_new_device boolean, is_new_country boolean)
language plpgsql volatile security definer set search_path = public as $$
begin
  return query select
    exists (select from known_device k where k.account_id = of_account)
      and not exists (select from known_device k where k.account_id = of_account and k.device_hash = hash),
    from_country is not null and exists (select from known_device k where k.account_id = of_account and k.country is not null)
      and not exists (select from known_device k where k.account_id = of_account and k.country = from_country);
  insert into known_device as k (account_id, device_hash, country) values (of_account, hash, from_country)
  on conflict (account_id, device_hash) do update set last_seen_at = now(), country = coalesce(excluded.country, k.country);
end
$$;

-- The notices say now what to do at once. Those that were rewritten here keep their words and get the link at their end.
create procedure add_not_me(of_label text) language plpgsql as $$
begin
  update mail_template set
    html = case when updated_by is null
      then regexp_replace(html, '<p>(If it was|If this was|If you did not)[^<]*</p>',
        '<p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>')
      else html || '<p><a href="{{link}}">This was not me</a></p>' end,
    spanish_html = case when spanish_html = '' then ''
      else regexp_replace(spanish_html, 'Si no, cree una contraseña nueva de inmediato y avise a su \{program\}\.',
        'Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.') end
  where label = of_label;
  update mail_template set spanish_of = text_of_mail(subject, html) where label = of_label and updated_by is null and spanish_html <> '';
end
$$;
call add_not_me('ACCOUNT_notice_password');
call add_not_me('ACCOUNT_notice_email');
call add_not_me('ACCOUNT_notice_authenticator_on');
call add_not_me('ACCOUNT_notice_authenticator_off');
call add_not_me('ACCOUNT_notice_recovery_code');
call add_not_me('ACCOUNT_notice_areas');
drop procedure add_not_me(text);

call add_mail_template('ACCOUNT_notice_recovery_codes',
  '<p><strong>Recovery codes made.</strong> Tells the owner of an account that new recovery codes were made.</p>',
  'New recovery codes were made',
  '<p>New recovery codes were made for your account <strong>{{account.name}}</strong>; the older ones no longer work.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>');
call add_mail_template('ACCOUNT_notice_key',
  '<p><strong>Key made.</strong> Tells the owner of an account that a key was made by which another system acts with their rights.</p>',
  'A key with your rights was made',
  '<p>A key by which another system acts with your rights was made from your account <strong>{{account.name}}</strong>.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account with its keys.</p>');
call add_mail_template('ACCOUNT_notice_device',
  '<p><strong>Sign-in from a new device or country.</strong> Tells the owner of an account, who would otherwise not notice a thief.</p>',
  'Somebody signed in from {{sign_in.what}}',
  '<p>Somebody signed in to your account <strong>{{account.name}}</strong> from {{sign_in.what}}: {{sign_in.device}}.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>');
call add_mail_template('ACCOUNT_notice_address',
  '<p><strong>Email address changed by somebody else.</strong> Tells the owner of an account at the old address that staff, an import or the college’s directory has entered another one.</p>',
  'Your email address was changed',
  '<p>The email address of your account <strong>{{account.name}}</strong> was changed to another one.</p><p>If that is right, you need not do anything. If not: <a href="{{link}}">this was not me</a>. The link puts this address back, ends all sessions and freezes the account.</p>');
call add_mail_template('ACCOUNT_address_entered',
  '<p><strong>Confirm an address that was entered.</strong> Goes to an address that staff, an import or the college’s directory has entered in place of a confirmed one. Always sent: links to set a password go to the address before until this one is confirmed.</p>',
  'Confirm your email address',
  '<p>This address was entered for the account <strong>{{account.name}}</strong>.</p><p><a href="{{link}}">Confirm this address</a></p><p>The link works once, for 7 days. Until then, links to sign in or to set a password go to the address before. If it is not your account, do nothing.</p>');
call add_mail_template('ACCOUNT_proof_code',
  '<p><strong>Code to confirm that it is you.</strong> Goes to people without a password, before a change that a thief would make. Always sent, and only to that person.</p>',
  'Your code is {{code}}',
  '<p>Type this code where you were asked for it: <strong>{{code}}</strong></p><p>It works once, for 10 minutes. If you did not ask for it, somebody sits at a session of yours: sign out everywhere.</p>');
call add_mail_template('ACCOUNT_frozen',
  '<p><strong>Account frozen.</strong> Tells administrators that somebody has said that a change of their account was not theirs.</p>',
  'An account was frozen: {{account.name}}',
  '<p>{{user.name}} says that a change of the account <strong>{{account.name}}</strong> was not theirs. All its sessions were ended, and nobody can sign in or use its keys until a new password is set by the link from that mailbox, or you open the account again on the person’s page.</p><p>Look in the audit for what was done with it.</p>');

call add_spanish_mail('ACCOUNT_notice_recovery_codes',
  'Se crearon códigos de recuperación nuevos',
  '<p>Se crearon códigos de recuperación nuevos para su cuenta <strong>{{account.name}}</strong>; los anteriores ya no funcionan.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.</p>');
call add_spanish_mail('ACCOUNT_notice_device',
  'Alguien inició sesión desde {{sign_in.what}}',
  '<p>Alguien inició sesión en su cuenta <strong>{{account.name}}</strong> desde {{sign_in.what}}: {{sign_in.device}}.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.</p>');
call add_spanish_mail('ACCOUNT_notice_address',
  'Su correo electrónico cambió',
  '<p>El correo electrónico de su cuenta <strong>{{account.name}}</strong> se cambió por otro.</p><p>Si es correcto, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace restablece esta dirección, cierra todas las sesiones y bloquea la cuenta.</p>');
call add_spanish_mail('ACCOUNT_address_entered',
  'Confirme su correo electrónico',
  '<p>Se escribió esta dirección para la cuenta <strong>{{account.name}}</strong>.</p><p><a href="{{link}}">Confirmar esta dirección</a></p><p>El enlace funciona una vez, durante 7 días. Hasta entonces, los enlaces para iniciar sesión o crear una contraseña van a la dirección anterior. Si no es su cuenta, no haga nada.</p>');
call add_spanish_mail('ACCOUNT_proof_code',
  'Su código es {{code}}',
  '<p>Escriba este código donde se lo pidieron: <strong>{{code}}</strong></p><p>Funciona una vez, durante 10 minutos. Si no lo pidió, alguien usa una sesión suya: cierre todas las sesiones.</p>');
