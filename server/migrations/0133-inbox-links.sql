-- The inbox by link: one mail a week for all programs that know an address, whose link does what waits there without signing in.

-- Whether a program takes part. Without a row it does not.
create table inbox_setting (
  program_id bigint not null primary key references program,
  is_on boolean not null,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
call protect_by_program('inbox_setting');

-- People whom staff have left out: no link reaches what waits for them in the program.
create table inbox_exclusion (
  program_id bigint not null,
  account_id bigint not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id)
);
call protect_by_program('inbox_exclusion');

-- Which addresses had their mail in a week that begins on this Monday. Of several programs and processes one sends it.
create table inbox_week (
  address text not null,
  monday date not null,
  sent_at timestamptz not null default now(),
  primary key (address, monday)
);

-- What a device calls itself, so that staff see where a link is open.
alter table scoped_link_device add column agent text not null default '';

create index scoped_link_recipient on scoped_link (program_id, lower(recipient_email), kind, id) where withdrawn_at is null;
-- All inbox links of an address, whatever their program.
create index scoped_link_inbox on scoped_link (lower(recipient_email), id) where kind = 'inbox';

-- The accounts that an inbox link of an address serves: supervisors of programs that take part, as they are now. Who has to do something
-- else first (accept the license, prove an authenticator) signs in for it.
create function inbox_accounts(of_address text) returns table (
  account_id bigint, program_id bigint, user_name text, access_level smallint, is_demo boolean, email text,
  is_email_confirmed boolean, first_name text, last_name text, program_name text, college_id bigint, college_name text,
  time_zone text, needs_sign_in boolean, is_muted boolean
) language sql stable security definer set search_path = public as $$
  select a.id, a.program_id, a.user_name, a.access_level, a.is_demo, a.email, a.is_email_confirmed, a.first_name, a.last_name,
    p.name, p.college_id, c.name, coalesce(p.time_zone, 'America/New_York'),
    a.totp_secret is not null or needs_eula(a.id),
    coalesce(a.preferences -> 'MutedEmails' @> '"INBOX_weekly"'::jsonb, false)
  from account a
  join program p on p.id = a.program_id and p.deleted_at is null
  join college c on c.id = p.college_id
  join inbox_setting s on s.program_id = a.program_id and s.is_on
  where of_address <> '' and lower(a.email) = lower(of_address) and a.deleted_at is null and a.deactivated_at is null
    and a.access_level in (49, 50)
    and not exists (select from inbox_exclusion x where x.program_id = a.program_id and x.account_id = a.id)
$$;

-- An inbox link that can be opened, and whether the device with this secret has opened it within the hour.
create function find_inbox_link(hash bytea, device bytea) returns table (
  link_id bigint, program_id bigint, recipient_name text, recipient_email text, expires_at timestamptz, is_opened boolean
) language sql stable security definer set search_path = public as $$
  select l.id, l.program_id, l.recipient_name, l.recipient_email, l.expires_at,
    exists (select from scoped_link_device d where d.program_id = l.program_id and d.link_id = l.id and d.secret_hash = device
      and d.opened_at > now() - interval '1 hour')
  from scoped_link l join program p on p.id = l.program_id and p.deleted_at is null
  where l.token_hash = hash and l.kind = 'inbox' and l.withdrawn_at is null and l.expires_at > now()
$$;

-- An inbox link that has run out and that nobody withdrew, for whoever asks for a new one within 90 days.
create function find_expired_inbox_link(hash bytea) returns table (recipient_email text)
language sql stable security definer set search_path = public as $$
  select l.recipient_email from scoped_link l
  where l.token_hash = hash and l.kind = 'inbox' and l.withdrawn_at is null and l.expires_at > now() - interval '90 days'
$$;

-- The newest inbox link of each address that the running program knows from its supervisors, whichever program sent it.
create function inbox_links(of_accounts bigint[]) returns table (
  account_id bigint, sent_at timestamptz, expires_at timestamptz, withdrawn_at timestamptz, opened_at timestamptz, agent text
) language sql stable security definer set search_path = public as $$
  select a.id, l.created_at, l.expires_at, l.withdrawn_at, u.at, d.agent
  from account a
  join lateral (select * from scoped_link k where k.kind = 'inbox' and lower(k.recipient_email) = lower(a.email)
    order by k.id desc limit 1) l on true
  left join lateral (select max(x.at) as at from scoped_link_use x where x.program_id = l.program_id and x.link_id = l.id
    and x.action = 'opened') u on true
  left join lateral (select y.agent from scoped_link_device y where y.program_id = l.program_id and y.link_id = l.id
    order by y.id desc limit 1) d on true
  where a.program_id = current_program() and a.id = any (of_accounts) and a.email <> ''
$$;

-- Ends the inbox links of an address, also those of other programs: whoever has lost a phone has lost it for all of them. One may be
-- kept: the newest, once a device has opened it.
create function withdraw_inbox_links(of_address text, by_account bigint, kept bigint) returns integer
language sql security definer set search_path = public as $$
  with ended as (
    update scoped_link set withdrawn_at = now(), withdrawn_by = by_account, code_hash = null, code_expires_at = null
    where kind = 'inbox' and lower(recipient_email) = lower(of_address) and withdrawn_at is null and id is distinct from kept
    returning 1)
  select count(*)::integer from ended
$$;

-- When the newest inbox link of an address was made, by whichever program: a job that runs again sends nothing twice.
create function last_inbox_link(of_address text) returns timestamptz
language sql stable security definer set search_path = public as $$
  select max(created_at) from scoped_link where kind = 'inbox' and lower(recipient_email) = lower(of_address)
$$;

-- The addresses whose programs have reached Monday, seven in the morning, in their own time zone and have had no mail this week.
create function due_inbox_addresses() returns table (address text, monday date)
language sql stable security definer set search_path = public as $$
  select distinct lower(a.email), date_trunc('week', n.here)::date
  from inbox_setting s
  join program p on p.id = s.program_id and p.deleted_at is null
  cross join lateral (select now() at time zone coalesce(p.time_zone, 'America/New_York') as here) n
  join account a on a.program_id = p.id and a.access_level in (49, 50) and a.deleted_at is null and a.deactivated_at is null
    and a.email <> ''
  where s.is_on and n.here >= date_trunc('week', n.here) + interval '7 hours'
    and n.here < date_trunc('week', n.here) + interval '31 hours'
    and not exists (select from inbox_exclusion x where x.program_id = a.program_id and x.account_id = a.id)
    and not exists (select from inbox_week w where w.address = lower(a.email) and w.monday = date_trunc('week', n.here)::date)
$$;

call add_mail_template('INBOX_weekly',
  '<p><strong>Inbox by link.</strong> Sends supervisors, once a week or when asked, the link to what waits for them in all programs that know their address. Without an account: the first time a device opens it, a code is mailed.</p>',
  '{{inbox.summary}}',
  '<p>Hello {{supervisor.firstName}},</p>{{inbox.list}}<p><a href="{{link}}">Open your inbox</a></p><p>You do not have to sign in. The first time, we email you a code. The link works for 7 days, on one device, and only for you.</p>');
