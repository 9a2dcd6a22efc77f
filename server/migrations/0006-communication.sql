-- The mail ledger and outbox, notifications in the product, and menus (product 3.9).

create table mail (
  id bigint generated always as identity primary key,
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
  created_by bigint
);
create index mail_program on mail (program_id, created_at desc, id desc);
create index mail_due on mail (send_after, id) where status in (1, 2);
alter table mail enable row level security;
create policy program on mail using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on')
  or (select current_setting('app.mailer', true)) = 'on');
-- Sign-in mail is queued before anybody is signed in.
create policy add on mail for insert with check (true);

create table notification (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null,
  kind text not null,
  text text not null,
  link text not null default '',
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id)
);
create index notification_account on notification (program_id, account_id, id desc);
create index notification_unread on notification (program_id, account_id) where read_at is null;
call protect_by_program('notification');

create table announcement (
  program_id bigint not null references program,
  id bigint generated always as identity,
  category text not null,
  html text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id)
);
call protect_by_program('announcement');

create table announcement_reader (
  program_id bigint not null,
  announcement_id bigint not null,
  account_id bigint not null,
  acknowledged_at timestamptz not null default now(),
  primary key (program_id, announcement_id, account_id),
  foreign key (program_id, announcement_id) references announcement on delete cascade,
  foreign key (program_id, account_id) references account (program_id, id)
);
call protect_by_program('announcement_reader');

create table personal_filter (
  account_id bigint primary key references account,
  is_student_enabled boolean not null default false,
  is_site_enabled boolean not null default false,
  is_shift_enabled boolean not null default false,
  student_ids bigint[] not null default '{}',
  site_ids bigint[] not null default '{}',
  shift_ids bigint[] not null default '{}'
);
