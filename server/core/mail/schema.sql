-- What somebody changed of a kind of email; null is as the product says it (server/core/mail/kinds).
create table mail_template (
  id bigint generated always as identity primary key,
  label text not null check (label <> '') unique,
  -- The order of the list, which people change.
  place integer not null,
  is_enabled boolean not null default true,
  description text,
  -- Empty: the installation's sender, and the person the email is about.
  sender text not null default '' check (length(sender) <= 255),
  addressee text not null default '' check (length(addressee) <= 255),
  carbon_copy text not null default '' check (length(carbon_copy) <= 255),
  subject text check (subject <> '' and length(subject) <= 255),
  html text,
  -- Values by name; what was never set has the initial value of its declaration.
  parameters jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  updated_by bigint,
  -- The Spanish text of an email beside the English one, which it belongs to: when that one is changed and the Spanish text is not
  -- saved anew, Spanish readers get what was changed, and not an old translation of something else.
  spanish_subject text check (length(spanish_subject) <= 255),
  spanish_html text,
  spanish_of text,
  unique (place) deferrable initially deferred
);
create trigger touch before update on mail_template for each row execute function touch();

-- What an email is still to be written about. A digest takes all of a person's lines of one topic at once, some minutes after
-- the first of them, so that many changes make one email.
create table email_notice (
  program_id bigint not null,
  id bigint generated always as identity,
  account_id bigint not null,
  label text not null,
  -- Several changes of the same thing become one line: what it was at first, and what it is at last.
  subject_key text not null,
  before text,
  after text,
  due_at timestamptz not null default now() + '00:05:00'::interval,
  -- Whose call it comes from: what a frozen account has caused and still waits is held.
  caused_by bigint,
  is_held boolean not null default false,
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id)
);
alter table email_notice alter column caused_by set default current_account();
create index email_notice_due on email_notice (program_id, due_at);
create index email_notice_account on email_notice (program_id, account_id, label);
call protect_by_program('email_notice');

create table mail (
  id bigint generated always as identity,
  program_id bigint references program,
  account_id bigint,
  label text not null default '',
  recipient text not null,
  sender text not null default '',
  carbon_copy text[] not null default '{}',
  subject text not null,
  html text not null,
  -- 1 Queued, 2 Sending, 3 Success, 4 Error (specification 2 §3)
  status smallint not null default 1 check (status between 1 and 4),
  status_message text not null default '',
  attempts smallint not null default 0,
  send_after timestamptz not null default now(),
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  -- Not sent because of the blacklist: an error that no one needs to fix.
  blocked_at timestamptz,
  -- Canceled by someone before it was sent: an error that no one needs to fix.
  cancelled_at timestamptz,
  -- Emails with files, and emails that a mail server sent back after it had taken them.
  attachment_ids bigint[] not null default '{}',
  bounced_at timestamptz,
  -- Whose call it comes from.
  caused_by bigint,
  primary key (id, created_at)
) partition by range (created_at);
alter table mail alter column caused_by set default current_account();
create index mail_program on mail (program_id, created_at desc, id desc);
create index mail_due on mail (send_after, id) where status in (1, 2);
create index mail_created on mail (created_at desc, id desc);
create index mail_open on mail (status, created_at desc, id desc) where status <> 3;
create index mail_program_open on mail (program_id, status, created_at desc, id desc) where status <> 3;
create index mail_created_by on mail (created_by, created_at desc, id desc) where created_by is not null;
create index mail_account on mail (program_id, account_id, created_at desc, id desc) where account_id is not null;
create index mail_bounced on mail (bounced_at) where bounced_at is not null;
create index mail_failed on mail (created_at) where status = 4 and blocked_at is null and cancelled_at is null;
alter table mail enable row level security;
create policy program on mail using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on')
  or (select current_setting('app.mailer', true)) = 'on');
create policy add on mail for insert with check (true);

-- Everything until the end of this month, and what comes after; a job makes the months of it.
do $$
declare
  month timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC';
begin
  execute format('create table partition.mail_history partition of mail for values from (minvalue) to (%L)', month);
  execute format('create table partition.mail_ahead partition of mail for values from (%L) to (maxvalue)', month);
  alter table partition.mail_history enable row level security;
  alter table partition.mail_ahead enable row level security;
end $$;

-- What has to be told to the address before and the one after; the worker does it.
create table address_change (
  id bigint generated always as identity primary key,
  account_id bigint not null references account,
  before text not null,
  after text not null,
  changed_at timestamptz not null default now(),
  was_confirmed boolean not null default true
);
