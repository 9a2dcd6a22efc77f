-- What an import remembers for the next file of its kind, texts that staff save for emails, and the email to a new person.

-- Our field → their column, the columns that the file had, and their values → ours by field. Without a program: colleges.
create table import_memory (
  program_id bigint references program,
  kind text not null,
  mapping jsonb not null,
  columns text[] not null,
  value_choices jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by bigint,
  unique nulls not distinct (program_id, kind)
);
create trigger touch before update on import_memory for each row execute function touch();
alter table import_memory enable row level security;
create policy program on import_memory using (
  program_id = (select current_program())
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));

create table email_text (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  subject text not null,
  html text not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create unique index email_text_name on email_text (program_id, lower(name)) where deleted_at is null;
create trigger touch before update on email_text for each row execute function touch();
call protect_by_program('email_text');

call add_mail_template('ACCOUNT_invited',
  '<p><strong>Invitation.</strong> Goes to a person whom staff add without a password. Always sent, and only to that person, who could not sign in without it.</p>',
  'Your account',
  '<p>Hello {{user.firstName}},</p><p>{{sender.name}} made an account for you. Your user name is <strong>{{account.userName}}</strong>.</p><p><a href="{{link}}">Set your password</a></p><p>The link works once, for 7 days. After that, choose “Forgot password” on the sign-in page.</p>');
