-- The installation at a glance without counting: people, files and sign-ins are kept, and failures outlive their process.

-- Students with access of each program, and stored files with their bytes. A change only adds a row with the difference, so
-- that writers never wait for each other; a job folds the rows of a key into one. The sum is right at any moment.
create table tally (
  what text not null check (what in ('students', 'files')),
  -- 0 for what is counted over all programs.
  program_id bigint not null,
  number bigint not null,
  amount bigint not null default 0,
  is_folded boolean not null default false
);
create index tally_what on tally (what, program_id) include (number, amount);
create index tally_new on tally (what, program_id) where not is_folded;
alter table tally enable row level security;

create function tally_students() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' then
    insert into tally (what, program_id, number)
      select 'students', c.program_id, count(*) from changed c where c.access_level = 39 and c.deleted_at is null and c.deactivated_at is null and c.program_id is not null
        group by 2;
  elsif tg_op = 'DELETE' then
    insert into tally (what, program_id, number)
      select 'students', c.program_id, -count(*) from was c where c.access_level = 39 and c.deleted_at is null and c.deactivated_at is null and c.program_id is not null
        group by 2;
  else
    insert into tally (what, program_id, number)
      select 'students', c.program_id, sum(c.sign)
      from (values (-1, old.program_id, old.access_level, old.deleted_at, old.deactivated_at),
        (1, new.program_id, new.access_level, new.deleted_at, new.deactivated_at))
        as c (sign, program_id, access_level, deleted_at, deactivated_at)
      where c.access_level = 39 and c.deleted_at is null and c.deactivated_at is null and c.program_id is not null
      group by 2 having sum(c.sign) <> 0;
  end if;
  return null;
end $$;
create trigger tally_new after insert on account
  referencing new table as changed for each statement execute function tally_students();
create trigger tally_gone after delete on account
  referencing old table as was for each statement execute function tally_students();
-- For each row, so that the many changes of other columns cost nothing.
create trigger tally_changed after update on account for each row
  when ((old.program_id, old.access_level, old.deleted_at is null, old.deactivated_at is null)
    is distinct from (new.program_id, new.access_level, new.deleted_at is null, new.deactivated_at is null))
  execute function tally_students();

create function tally_files() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' then
    insert into tally (what, program_id, number, amount) select 'files', 0, count(*), sum(byte_count) from changed having count(*) > 0;
  elsif tg_op = 'DELETE' then
    insert into tally (what, program_id, number, amount) select 'files', 0, -count(*), -sum(byte_count) from was having count(*) > 0;
  else
    insert into tally (what, program_id, number, amount) values ('files', 0, 0, new.byte_count - old.byte_count);
  end if;
  return null;
end $$;
create trigger tally_new after insert on stored_file
  referencing new table as changed for each statement execute function tally_files();
create trigger tally_gone after delete on stored_file
  referencing old table as was for each statement execute function tally_files();
create trigger tally_changed after update on stored_file for each row
  when (old.byte_count <> new.byte_count) execute function tally_files();

insert into tally (what, program_id, number, is_folded)
  select 'students', a.program_id, count(*), true from account a
  where a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null and a.program_id is not null group by 2;
insert into tally (what, program_id, number, amount, is_folded)
  select 'files', 0, count(*), sum(byte_count), true from stored_file having count(*) > 0;

-- Sign-ins of days that are over, by the time zone that the day belongs to: they change no more, so that a job keeps them
-- and a sign-in writes nothing for them. Only today is counted.
create table sign_in_day (
  time_zone text not null,
  date date not null,
  people integer not null,
  sign_ins integer not null,
  primary key (time_zone, date)
);
alter table sign_in_day enable row level security;

-- Keeps the days of the last two weeks that are over and not kept yet, in the time zones in which super admins look.
create function keep_sign_in_days() returns void language plpgsql security definer set search_path = public as $$
begin
  insert into sign_in_day (time_zone, date, people, sign_ins)
    select z.zone, d::date, s.people, s.sign_ins
    from (select 'America/New_York' as zone union select time_zone from program where deleted_at is null) z
    cross join lateral generate_series(((now() at time zone z.zone)::date - 14)::timestamp,
      ((now() at time zone z.zone)::date - 1)::timestamp, interval '1 day') d
    cross join lateral (select count(distinct s.account_id) as people, count(*) as sign_ins from session s
      where s.created_at >= d at time zone z.zone and s.created_at < (d + interval '1 day') at time zone z.zone) s
    -- A sign-in that began before midnight may be committed a moment later.
    where (d + interval '1 day') at time zone z.zone < now() - interval '5 minutes'
      and not exists (select from sign_in_day k where k.time_zone = z.zone and k.date = d::date)
    on conflict do nothing;
  delete from sign_in_day where date < current_date - 60;
end $$;

drop function sign_ins_by_day(timestamptz, text);
create function sign_ins_by_day(from_day date, zone text) returns table (date date, people bigint, sign_ins bigint)
  language sql stable security definer set search_path = public as $$
  with wanted as (select d::date as date from generate_series(from_day, (now() at time zone zone)::date, interval '1 day') d),
  kept as materialized (
    select k.date, k.people, k.sign_ins from sign_in_day k where k.time_zone = zone and k.date >= from_day),
  -- Days are kept without gaps up to the last one.
  since as materialized (select min(w.date) as date from wanted w where w.date not in (select k.date from kept k))
  select k.date, k.people::bigint, k.sign_ins::bigint from kept k, since where k.date < since.date or since.date is null
  union all
  select (s.created_at at time zone zone)::date, count(distinct s.account_id), count(*)
  from session s where s.created_at >= (select since.date::timestamp at time zone zone from since) group by 1
$$;
-- Demo data, which comes after the migrations, tells sign-ins of past days.
select keep_sign_in_days() where exists (select from session);

-- Errors of the server and of jobs, as every process tells them: added up by hour, whatever restarts.
create table failure_hour (
  kind text not null check (kind in ('server', 'job')),
  name text not null,
  hour timestamptz not null,
  number integer not null,
  primary key (kind, hour, name)
);
alter table failure_hour enable row level security;
create function add_failures(kinds text[], names text[], numbers integer[]) returns void
  language sql security definer set search_path = public as $$
  insert into failure_hour as f (kind, name, hour, number)
    -- In one order, so that two processes that write at the same moment wait for each other once at most.
    select k, n, date_trunc('hour', now()), c from unnest(kinds, names, numbers) as u (k, n, c) order by 1, 2
  on conflict (kind, hour, name) do update set number = f.number + excluded.number
$$;

-- One job for all that is kept here. Whoever comes while another does it has nothing to do.
create function fold_tallies() returns void language plpgsql security definer set search_path = public as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('tallies')) then return; end if;
  with new as (delete from tally where not is_folded returning what, program_id, number, amount),
  kept as (
    delete from tally t using (select distinct what, program_id from new) n
    where t.is_folded and t.what = n.what and t.program_id = n.program_id returning t.what, t.program_id, t.number, t.amount)
  insert into tally (what, program_id, number, amount, is_folded)
    select what, program_id, sum(number), sum(amount), true
    from (select * from new union all select * from kept) a group by 1, 2 having sum(number) <> 0 or sum(amount) <> 0;
  delete from failure_hour where hour < now() - interval '30 days';
end $$;

create or replace function installation_counts(since timestamptz)
  returns table (online bigint, daily_users bigint, total_students bigint)
  language sql stable security definer set search_path = public as $$
  select (select count(distinct account_id) from session where ended_at is null and last_seen_at > now() - interval '15 minutes'),
    (select count(*) from account_seen where last_seen_at >= since),
    (select coalesce(sum(t.number), 0)::bigint from tally t join program p on p.id = t.program_id and p.deleted_at is null
     where t.what = 'students')
$$;

create or replace function students_by_program() returns table (program_id bigint, students bigint)
  language sql stable security definer set search_path = public as $$
  select t.program_id, sum(t.number)::bigint from tally t
  where t.what = 'students' and (select current_setting('app.super', true)) = 'on'
  group by t.program_id
$$;

create or replace function installation_storage() returns table (files bigint, file_bytes bigint, database_bytes bigint)
  language sql stable security definer set search_path = public as $$
  select coalesce(sum(t.number), 0)::bigint, coalesce(sum(t.amount), 0)::bigint, pg_database_size(current_database())
  from tally t where t.what = 'files' and (select current_setting('app.super', true)) = 'on'
$$;
drop index stored_file_bytes;

-- Programs where nobody was since: one look at the index for each.
create function count_quiet_programs(since timestamptz) returns bigint
  language sql stable security definer set search_path = public as $$
  select count(*) from program p where p.deleted_at is null
    and not exists (select from account_seen s where s.program_id = p.id and s.last_seen_at >= since)
$$;

drop function installation_jobs();
create function installation_jobs() returns table (waiting bigint, late bigint, failed bigint)
  language plpgsql stable security definer set search_path = public as $$
begin
  if to_regclass('graphile_worker.jobs') is null then
    return query select 0::bigint, 0::bigint, 0::bigint;
  else
    return query select count(*) filter (where j.attempts < j.max_attempts),
      count(*) filter (where j.attempts < j.max_attempts and j.locked_at is null and j.run_at < now() - interval '5 minutes'),
      count(*) filter (where j.attempts >= j.max_attempts)
    from graphile_worker.jobs j;
  end if;
end $$;

create index sync_log_failed on sync_log (created_at desc, id desc) where not (event ->> 'Success')::boolean;
create index audit_refused_by_college on audit (at)
  where action = 'sign-in refused' and detail ->> 'How' = 'college';
drop index audit_refused;

-- What failed in the last day and week, and what failed most. Lists of failures are short; a flood is counted up to 10,001.
drop function installation_failures(timestamptz);
create function installation_failures() returns table (kind text, day bigint, week bigint, causes json)
  language sql stable security definer set search_path = public as $$
  with hours as materialized (
    select f.kind, f.name, sum(f.number) filter (where f.hour > now() - interval '1 day') as day, sum(f.number) as week
    from failure_hour f where f.hour > now() - interval '7 days' group by 1, 2),
  moments as (
    (select 'email' as kind, m.created_at as at from mail m where m.status = 4 and m.blocked_at is null
      and m.cancelled_at is null and m.created_at > now() - interval '7 days' limit 10001)
    union all
    (select 'returned', m.bounced_at from mail m where m.bounced_at > now() - interval '7 days' limit 10001)
    union all
    (select 'college', a.at from audit a where a.at > now() - interval '7 days' and a.action = 'sign-in refused'
      and a.detail ->> 'How' = 'college' limit 10001)
    union all
    (select 'sync', l.created_at from sync_log l where not (l.event ->> 'Success')::boolean
      and l.created_at > now() - interval '7 days' limit 10001))
  select k.kind, coalesce(s.day, 0)::bigint, coalesce(s.week, 0)::bigint, coalesce(s.causes, '[]')
  from unnest(array['server', 'job', 'email', 'returned', 'college', 'sync']) with ordinality as k (kind, place)
  left join (
    select h.kind, sum(h.day) as day, sum(h.week) as week, (select json_agg(json_build_object('Name', b.name, 'Week', b.week)
        order by b.week desc, b.name)
      from (select * from hours o where o.kind = h.kind order by o.week desc, o.name limit 5) b) as causes
    from hours h group by h.kind
    union all
    select m.kind, count(*) filter (where m.at > now() - interval '1 day'), count(*), null from moments m group by m.kind) s
    on s.kind = k.kind
  where (select current_setting('app.super', true)) = 'on'
  order by k.place
$$;
