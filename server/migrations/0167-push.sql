-- Push notifications: what people's own devices are told through the push services of their browsers.

-- The installation: whether anything is sent, the pair of keys by which push services know it, and how it goes. One row, made when it
-- is first switched on.
create table push_service (
  id boolean primary key default true check (id),
  is_on boolean not null default false,
  -- P-256: the public key as browsers take it, base64url without padding; the private one is sealed.
  public_key text not null,
  private_key text not null,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by bigint
);

-- What a person wants to be told, and when to be left alone. Without a row: nothing.
create table push_choice (
  program_id bigint not null references program,
  account_id bigint not null,
  kinds text[] not null default '{}' check (kinds <@ '{shift,clock-out,evaluation,answer}'::text[]),
  -- Local times of the program; both or neither.
  quiet_from time,
  quiet_until time,
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id),
  check ((quiet_from is null) = (quiet_until is null))
);
call protect_by_program('push_choice');

-- A browser of a person that takes messages. Its address is a secret of the push service: whoever has it may send.
create table push_device (
  program_id bigint not null references program,
  -- Chosen by the browser, which knows itself by it.
  id uuid not null,
  account_id bigint not null,
  name text not null check (length(name) between 1 and 60),
  endpoint text not null check (length(endpoint) <= 2000),
  p256dh text not null,
  auth text not null,
  -- The key of the installation that it was made for.
  public_key text not null,
  -- The session in which the person was last seen there: when that is ended, messages end.
  session_id bigint,
  seen_at timestamptz not null default now(),
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- 'removed' is for good; after anything else the browser may come back by itself.
  end_reason text not null default '' check (end_reason in ('', 'removed', 'session', 'account', 'gone', 'moved', 'keys')),
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id),
  check ((ended_at is null) = (end_reason = ''))
);
create unique index push_device_endpoint on push_device (md5(endpoint)) where ended_at is null;
create index push_device_account on push_device (program_id, account_id);
create index push_device_session on push_device (session_id) where ended_at is null;
call protect_by_program('push_device');

-- What is to be told to a device, written in the transaction that causes it. What it says is read when it is sent.
create table push_message (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null,
  device_id uuid not null,
  kind text not null check (kind in ('shift', 'clock-out', 'evaluation', 'answer', 'test')),
  -- Of the messages of a topic the device shows the newest alone.
  topic text not null,
  link text not null check (link like '/new/%'),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'failed')),
  -- Why it was dropped, or what the push service said.
  note text not null default '',
  queued_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- A process that sends it has it until then; one that died gives it back by the time.
  claimed_until timestamptz,
  claim uuid,
  done_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, device_id) references push_device on delete cascade
);
-- What is told of by the calendar is told once.
create unique index push_message_once on push_message (program_id, device_id, topic) where kind in ('shift', 'clock-out');
create index push_message_device on push_message (program_id, device_id);
create index push_message_waiting on push_message (program_id, device_id, topic) where state = 'waiting';
create index push_message_due on push_message (next_at) where state = 'waiting';
create index push_message_age on push_message (queued_at);
call protect_by_program('push_message');

-- One job a transaction. Without a key: jobs of one key would make transactions wait for each other.
create function queue_push_job(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
begin
  if current_setting('app.push_job', true) is distinct from pg_current_xact_id()::text then
    perform graphile_worker.add_job('push:send', json_build_object('programId', of_program), max_attempts => 3);
    perform set_config('app.push_job', pg_current_xact_id()::text, true);
  end if;
end $$;

-- Which notifications inside the product are worth a message to a device.
create function push_kind_of(kind text, link text) returns text language sql immutable as $$
  select case
    when kind in ('evaluation_new', 'evaluation_due', 'evaluation_late') and link like '/new/evaluate%' then 'evaluation'
    when kind = 'schedule' and link like '/new/swaps%' then 'answer'
    when kind = 'open_shift_answer' and link like '/new/open-shifts%' then 'answer'
    when kind in ('time_change_decided', 'time_rejected') and link like '/new/hours%' then 'answer'
    when kind = 'requirement_answered' and link like '/new/requirements%' then 'answer'
  end
$$;

-- Where a person is told something inside the product, her devices are told as well, if she has chosen it. Not of what she did herself.
create function push_of_notification() returns trigger language plpgsql security definer set search_path = public as $$
declare
  of_program bigint;
begin
  if not exists (select from push_service where is_on) then return null; end if;
  for of_program in
    with queued as (
      insert into push_message (program_id, account_id, device_id, kind, topic, link, expires_at)
      select n.program_id, n.account_id, d.id, k.kind, k.kind || case k.kind when 'answer' then ' ' || split_part(min(n.link), '?', 1) else '' end,
        case when k.kind = 'evaluation' and count(distinct n.link) > 1 then '/new/evaluate' else min(n.link) end,
        now() + interval '3 days'
      from new_rows n
      cross join lateral (select push_kind_of(n.kind, n.link) as kind) k
      join push_choice c on c.program_id = n.program_id and c.account_id = n.account_id and k.kind = any (c.kinds)
      join push_device d on d.program_id = n.program_id and d.account_id = n.account_id and d.ended_at is null
      where n.account_id is distinct from current_account()
      group by n.program_id, n.account_id, d.id, k.kind, case when k.kind = 'answer' then split_part(n.link, '?', 1) end
      returning program_id)
    select distinct program_id from queued
  loop
    perform queue_push_job(of_program);
  end loop;
  return null;
end $$;
create trigger push after insert on notification referencing new table as new_rows
  for each statement execute function push_of_notification();

-- Whoever signs out, or is signed out, is no longer told anything there.
create function end_push_of_session() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update push_device set ended_at = now(), end_reason = 'session' where session_id = new.id and ended_at is null;
  return null;
end $$;
create trigger push after update of ended_at on session for each row
  when (old.ended_at is null and new.ended_at is not null) execute function end_push_of_session();

-- An account that is closed, by whomever, has no devices any longer; neither has one that came to another program or level.
create function end_push_of_account() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update push_device set ended_at = now(), end_reason = 'account'
  where program_id = old.program_id and account_id = old.id and ended_at is null;
  return null;
end $$;
create trigger push after update of deactivated_at, deleted_at, access_level on account for each row
  when ((new.deactivated_at is not null and old.deactivated_at is null) or (new.deleted_at is not null and old.deleted_at is null)
    or new.access_level <> old.access_level)
  execute function end_push_of_account();

-- An address belongs to one device: to that of the person who brought it last, in whichever program.
create function claim_push_endpoint(of_endpoint text, of_program bigint, of_device uuid) returns void
  language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('push ' || of_endpoint, 0));
  update push_device set ended_at = now(), end_reason = 'moved'
  where md5(endpoint) = md5(of_endpoint) and ended_at is null and not (program_id = of_program and id = of_device);
end $$;

-- With new keys of the installation no subscription works any longer.
create function end_all_push_devices() returns bigint language sql security definer set search_path = public as $$
  with ended as (
    update push_device set ended_at = now(), end_reason = 'keys' where ended_at is null returning 1)
  select count(*) from ended
$$;

-- When the quiet hours end in which a moment is; null outside of them. In the local time of a zone, also where clocks change.
create function push_quiet_until(moment timestamptz, of_zone text, quiet_from time, quiet_until time) returns timestamptz
  language sql immutable as $$
  select greatest((quiet.end_day + quiet_until) at time zone of_zone, moment + interval '1 minute') from (
    select case
      when quiet_from is null or quiet_until is null or quiet_from = quiet_until then null
      when quiet_from < quiet_until then case when local.clock >= quiet_from and local.clock < quiet_until then local.today end
      when local.clock >= quiet_from then local.today + 1
      when local.clock < quiet_until then local.today
    end as end_day
    from (select (moment at time zone of_zone)::date as today, (moment at time zone of_zone)::time as clock) local) quiet
  where quiet.end_day is not null
$$;

-- Programs with something to send.
create function programs_with_pushes() returns table (program_id bigint)
  language sql stable security definer set search_path = public as $$
  select distinct m.program_id from push_message m
  where m.state = 'waiting' and m.next_at <= now() and exists (select from push_service where is_on)
  order by 1
$$;

-- Programs in which somebody wants to be told of a kind.
create function programs_wanting_pushes(of_kind text) returns table (program_id bigint)
  language sql stable security definer set search_path = public as $$
  select p.id from program p
  where p.deleted_at is null and exists (select from push_service where is_on)
    and exists (select from push_choice c join push_device d on d.program_id = c.program_id and d.account_id = c.account_id
      and d.ended_at is null where c.program_id = p.id and of_kind = any (c.kinds))
  order by p.id
$$;

-- How pushes go, for whoever runs the installation: figures, and nobody's name.
create function push_figures() returns table (devices bigint, people bigint, waiting bigint, sent bigint, failed bigint)
  language sql stable security definer set search_path = public as $$
  select count(*), count(distinct d.account_id),
    (select count(*) from push_message where state = 'waiting'),
    (select count(*) from push_message where state = 'sent' and queued_at > now() - interval '7 days'),
    (select count(*) from push_message where state = 'failed' and queued_at > now() - interval '7 days')
  from push_device d where d.ended_at is null
$$;

-- The hosts of push services by how many devices are told through them.
create function push_hosts() returns table (host text, devices bigint)
  language sql stable security definer set search_path = public as $$
  select split_part(split_part(endpoint, '://', 2), '/', 1), count(*) from push_device where ended_at is null
  group by 1 order by 2 desc, 1 limit 20
$$;

-- Messages are kept for 30 days, ended devices for 90: after that a browser that comes back begins anew.
create function tidy_pushes() returns void language sql security definer set search_path = public as $$
  delete from push_message where queued_at < now() - interval '30 days';
  update push_device set ended_at = now(), end_reason = 'gone' where ended_at is null and seen_at < now() - interval '90 days';
  delete from push_device where ended_at < now() - interval '90 days';
$$;

-- Beside the other outside parts that fail: pushes, while the last word of a push service is an error.
create function count_failing_pushes() returns table (part text, failing bigint)
  language sql stable security definer set search_path = public as $$
  select 'push', count(*) from push_service p where p.is_on and p.last_error_at > coalesce(p.last_success_at, '-infinity')
$$;
