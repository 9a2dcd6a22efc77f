-- The mail center (specification 2 §2.7): the texts of the letters that the product writes, one row a kind for the whole
-- installation. Their placeholders and parameters are those of server/core/mail-kinds.ts.

create table mail_template (
  id bigint generated always as identity primary key,
  label text not null unique check (label <> ''),
  -- The order of the list, which people change.
  place integer not null unique deferrable initially deferred,
  is_enabled boolean not null default true,
  description text not null default '',
  -- Empty: the sender of the installation, and the person the letter is for.
  sender text not null default '' check (length(sender) <= 255),
  addressee text not null default '' check (length(addressee) <= 255),
  carbon_copy text not null default '' check (length(carbon_copy) <= 255),
  subject text not null check (subject <> '' and length(subject) <= 255),
  html text not null,
  -- Values by name; what was never set has the initial value of its declaration.
  parameters jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  updated_by bigint
);
create trigger touch before update on mail_template for each row execute function touch();

-- A new kind of letter with its first texts, at the end of the list.
create procedure add_mail_template(new_label text, about text, first_subject text, first_html text) language sql as $$
  insert into mail_template (label, place, description, subject, html)
  select new_label, coalesce(max(place), 0) + 1, about, first_subject, first_html from mail_template
$$;

-- Where staff of a level in a program read their mail, by commas; letters are also written before anybody is signed in.
create function staff_addresses(of_program bigint, of_level smallint) returns text
language sql stable security definer set search_path = public as $$
  select string_agg(s.email, ',') from (
    select email from account where program_id = of_program and access_level = of_level and email <> ''
      and deleted_at is null and deactivated_at is null order by id limit 50) s
$$;

call add_mail_template('TIME_unmatched',
  '<p><strong>Unmatched clock records.</strong> Asks a student to report the half of a clock record that is missing.</p>',
  'Clock records that lack their other half: {{record.count}}',
  '<p>Hello {{student.firstName}},</p><p>no hours count yet for these records:</p><p>{{record.list}}</p><p><a href="{{link}}">Report a {time} exception</a> with the {time} that is missing.</p>');
call add_mail_template('TIME_missed',
  '<p><strong>Missed shifts.</strong> Asks a student about shifts without any clock record.</p>',
  'Shifts without a clock record: {{shift.count}}',
  '<p>Hello {{student.firstName}},</p><p>nothing was recorded for these shifts:</p><p>{{shift.list}}</p><p><a href="{{link}}">Report the hours as a {time} exception, or the absence</a>.</p>');
call add_mail_template('TIME_letter',
  '<p><strong>Letter about clock records.</strong> What staff write by hand to the students of the records they have chosen.</p>',
  '{{letter.subject}}',
  '<p>{{letter.text}}</p>');
call add_mail_template('EVALUATION_due',
  '<p><strong>Evaluation reminder.</strong> Reminds evaluators of the evaluations that wait for them.</p>',
  '{Evaluations} that wait for you: {{evaluation.count}}',
  '<p>{Evaluations} that wait for you: {{evaluation.count}}. The first one is due: {{evaluation.due}}.</p><p><a href="{{link}}">Open them</a></p>');
call add_mail_template('REGISTRANT_received',
  '<p><strong>Registration received.</strong> Goes to somebody who has registered and confirmed the e-mail address.</p>',
  'Your registration has arrived',
  '<p>Your registration for {{program.name}} has arrived, and your address is confirmed. You get a letter as soon as it is decided.</p>');
call add_mail_template('REGISTRANT_approved',
  '<p><strong>Registration approved.</strong> Welcomes a registrant who has become a student.</p>',
  'Welcome to {{program.name}}',
  '<p>Your registration for {{program.name}} is approved. Your user name is <strong>{{account.userName}}</strong>.</p><p>{{parameter.FirstSteps}}</p><p><a href="{{link}}">Sign in</a></p>');
call add_mail_template('REGISTRANT_declined',
  '<p><strong>Registration declined.</strong> Tells a registrant the decision and its reason.</p>',
  'Your registration was not accepted',
  '<p>Your registration for {{program.name}} was not accepted.</p><p>{{decision.reason}}</p><p>{{parameter.Closing}}</p>');
call add_mail_template('REGISTRANT_confirm',
  '<p><strong>Finish the registration.</strong> Lets somebody who registers confirm the address and set a password. Always sent, and only to that person: nobody could register without it.</p>',
  'Finish your registration',
  '<p>You registered for {{program.name}}. Your user name is <strong>{{account.userName}}</strong>.</p><p><a href="{{link}}">Confirm your address and set a password</a></p><p>The link works once, for 10 minutes; if it has expired, register again. If it was not you, do nothing.</p>');
call add_mail_template('REGISTRANT_known',
  '<p><strong>Registered before.</strong> Goes to somebody who registers with the address of an account that exists. Always sent, and only to that person: the screen must not tell who has an account, so this letter does.</p>',
  'You have an account already',
  '<p>Somebody, probably you, registered for {{program.name}} with this address. It belongs to the account <strong>{{account.userName}}</strong> there, so nothing was changed.</p><p><a href="{{link}}">Sign in</a></p>');
call add_mail_template('ACCOUNT_created',
  '<p><strong>Account created.</strong> Goes to the people of an import, when whoever imports them asks for it.</p>',
  'Your account',
  '<p>Hello {{user.firstName}},</p><p>An account was made for you. Your user name is <strong>{{account.userName}}</strong>.</p><p><a href="{{link}}">Set your password</a></p><p>{{parameter.Help}}</p>');
call add_mail_template('ACCOUNT_password_reset',
  '<p><strong>Password reset.</strong> The link that somebody asks for who has forgotten the password. Always sent, and only to that person: nobody could sign in again without it.</p>',
  'Set a new password',
  '<p>Somebody, probably you, asked for a new password for the user name <strong>{{account.name}}</strong>.</p><p><a href="{{link}}">Set a new password</a></p><p>The link works once, for 10 minutes. If it was not you, do nothing: your password stays as it is.</p>');
call add_mail_template('ACCOUNT_password_link',
  '<p><strong>Password link from staff.</strong> The link that staff send from Manage users. Always sent, and only to that person: nobody could sign in again without it.</p>',
  'Set a new password',
  '<p>{{sender.name}} sends you this link to set a password for the user name <strong>{{account.userName}}</strong>.</p><p><a href="{{link}}">Set a new password</a></p><p>The link works once, for 10 minutes.</p>');
call add_mail_template('ACCOUNT_sign_in_link',
  '<p><strong>Sign-in link and code.</strong> Signs somebody in without a password. Always sent, and only to that person: nobody could sign in this way without it.</p>',
  'Your sign-in code: {{code}}',
  '<p>Open <a href="{{link}}">this link to sign in</a>, or type this code where you asked for it:</p><h2>{{code}}</h2><p>Both work once, for {{minutes}} minutes, and only the newest ones work. If it was not you who asked, do nothing: nobody can sign in without this letter.</p>');
call add_mail_template('ACCOUNT_email_confirmation',
  '<p><strong>E-mail confirmation.</strong> Goes to a new address, to confirm that it is the person’s own. Always sent, and only to that address: it could not be confirmed without it.</p>',
  'Confirm your e-mail address',
  '<p>This address was entered for the account <strong>{{account.name}}</strong>.</p><p><a href="{{link}}">Confirm this address</a></p><p>The link works once, for 10 minutes. If it is not your account, do nothing.</p>');
call add_mail_template('ACCOUNT_notice_password',
  '<p><strong>Password changed.</strong> Tells the owner of an account, who would otherwise not notice a thief.</p>',
  'Your password was changed',
  '<p>The password of your account <strong>{{account.name}}</strong> was changed.</p><p>If it was you, you need not do anything. If not, set a new password at once and tell your {program}.</p>');
call add_mail_template('ACCOUNT_notice_email',
  '<p><strong>E-mail address changes.</strong> Tells the owner of an account at the old address, who would otherwise not notice a thief.</p>',
  'Your e-mail address is about to change',
  '<p>Another e-mail address was entered for your account <strong>{{account.name}}</strong>, and waits to be confirmed.</p><p>If it was you, you need not do anything. If not, set a new password at once and tell your {program}.</p>');
call add_mail_template('ACCOUNT_notice_authenticator_on',
  '<p><strong>Authenticator on.</strong> Tells the owner of an account that it asks for the code of an authenticator now.</p>',
  'Your authenticator is on',
  '<p>Your account <strong>{{account.name}}</strong> asks for the code of an authenticator now.</p><p>If it was you, you need not do anything. If not, set a new password at once and tell your {program}.</p>');
call add_mail_template('ACCOUNT_notice_authenticator_off',
  '<p><strong>Authenticator off.</strong> Tells the owner of an account that it no longer asks for the code of an authenticator.</p>',
  'Your authenticator is off',
  '<p>Your account <strong>{{account.name}}</strong> no longer asks for the code of an authenticator.</p><p>If it was you, you need not do anything. If not, set a new password at once and tell your {program}.</p>');
call add_mail_template('ACCOUNT_notice_recovery_code',
  '<p><strong>Recovery code used.</strong> Tells the owner of an account that somebody signed in with a recovery code.</p>',
  'A recovery code was used',
  '<p>Somebody signed in to your account <strong>{{account.name}}</strong> with a recovery code.</p><p>If it was you, you need not do anything. If not, set a new password at once and tell your {program}.</p>');
call add_mail_template('OTHER_test',
  '<p><strong>Test notification.</strong> Shows whether mail arrives. “Send Test Notification” sends it to whoever presses it.</p>',
  'Test notification',
  '<p>{{parameter.Greeting}} {{user.name}},</p><p>this letter was sent on {{sent.at}}. Mail works.</p><p>{{sent.from}}</p><p>{{parameter.Closing}}</p>');

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (1003, 10, 'mail', '/new/admin/mail-center', 30, 'Mail Center', true, 1);
