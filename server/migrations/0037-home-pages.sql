-- The pages to open daily: attendance added up by day, and the installation at a glance for super admins.

-- What a day came to, kept once it is over (three days later): home adds days up in place of counting records.
create table attendance_day (
  program_id bigint not null references program,
  date date not null,
  shifts integer not null,
  planned_minutes integer not null,
  approved_minutes integer not null,
  pending_minutes integer not null,
  absence_minutes integer not null,
  absences integer not null,
  late integer not null,
  missed integer not null,
  primary key (program_id, date)
);
call protect_by_program('attendance_day');

-- Kept days that a later change made wrong. Rows are only added, so that writers never wait for each other here.
create table attendance_change (
  program_id bigint not null references program,
  date date not null
);
create index attendance_change_day on attendance_change (program_id, date);
call protect_by_program('attendance_change');

-- As owner: a change of any program marks its days. A record of the day beside speaks for a shift too. Days of the last two
-- are not kept yet, so that punches mark nothing.
create function mark_attendance() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'INSERT' then
    insert into attendance_change (program_id, date)
      select distinct c.program_id, c.date + n from changed c, generate_series(-1, 1) n where c.date + n <= current_date - 2;
  elsif tg_op = 'DELETE' then
    insert into attendance_change (program_id, date)
      select distinct c.program_id, c.date + n from was c, generate_series(-1, 1) n where c.date + n <= current_date - 2;
  else
    insert into attendance_change (program_id, date)
      select distinct c.program_id, c.date + n
      from (select program_id, date from changed union select program_id, date from was) c, generate_series(-1, 1) n
      where c.date + n <= current_date - 2;
  end if;
  return null;
end $$;
create trigger mark_attendance_new after insert on time_record
  referencing new table as changed for each statement execute function mark_attendance();
create trigger mark_attendance_changed after update on time_record
  referencing old table as was new table as changed for each statement execute function mark_attendance();
create trigger mark_attendance_gone after delete on time_record
  referencing old table as was for each statement execute function mark_attendance();
create trigger mark_attendance_new after insert on shift_assignment
  referencing new table as changed for each statement execute function mark_attendance();
create trigger mark_attendance_changed after update on shift_assignment
  referencing old table as was new table as changed for each statement execute function mark_attendance();
create trigger mark_attendance_gone after delete on shift_assignment
  referencing old table as was for each statement execute function mark_attendance();

-- Shifts of deleted people are missed by nobody.
create function forget_attendance() returns trigger language plpgsql security definer set search_path = public as $$
begin
  delete from attendance_day where program_id = new.program_id;
  return null;
end $$;
create trigger forget_attendance after update of deleted_at on account for each row
  when (old.deleted_at is distinct from new.deleted_at and new.program_id is not null)
  execute function forget_attendance();

-- Programs with days to keep: those not kept yet of the last 400, and those that changed.
create function attendance_due() returns table (program_id bigint, time_zone text)
  language sql stable security definer set search_path = public as $$
  select p.id, p.time_zone from program p
  where p.deleted_at is null and (exists (select from attendance_change c where c.program_id = p.id)
    or (select count(*) from attendance_day d where d.program_id = p.id
      and d.date between (now() at time zone p.time_zone)::date - 402 and (now() at time zone p.time_zone)::date - 3) < 400)
  order by p.id
$$;

-- When each person was seen last, kept with the session: a row for each, so that nobody waits for anybody. It only rises.
create table account_seen (
  account_id bigint primary key references account (id),
  program_id bigint,
  last_seen_at timestamptz not null
);
create index account_seen_program on account_seen (program_id, last_seen_at);
alter table account_seen enable row level security;
create function keep_seen() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into account_seen as s (account_id, program_id, last_seen_at)
    select a.id, a.program_id, new.last_seen_at from account a where a.id = new.account_id
  on conflict (account_id) do update set last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
    program_id = excluded.program_id;
  return null;
end $$;
create trigger keep_seen after insert or update of last_seen_at on session for each row execute function keep_seen();
insert into account_seen (account_id, program_id, last_seen_at)
  select a.id, a.program_id, max(s.last_seen_at) from session s join account a on a.id = s.account_id group by a.id;

drop function program_activity(timestamptz);
create function program_activity(week timestamptz, month timestamptz)
  returns table (program_id bigint, people_week bigint, people_month bigint, last_seen_at timestamptz)
  language sql stable security definer set search_path = public as $$
  select s.program_id, count(*) filter (where s.last_seen_at >= week), count(*) filter (where s.last_seen_at >= month),
    max(s.last_seen_at)
  from account_seen s where s.program_id is not null group by s.program_id
$$;

-- Students with access, as each program has them.
create function students_by_program() returns table (program_id bigint, students bigint)
  language sql stable security definer set search_path = public as $$
  select a.program_id, count(*) from account a
  where a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null
    and (select current_setting('app.super', true)) = 'on'
  group by a.program_id
$$;

-- The days of the chart come from this index alone.
drop index session_created;
create index session_created on session (created_at) include (account_id);
drop function sign_ins_by_day(timestamptz, text);
create function sign_ins_by_day(since timestamptz, zone text) returns table (date date, people bigint, sign_ins bigint)
  language sql stable security definer set search_path = public as $$
  select (s.created_at at time zone zone)::date, count(distinct s.account_id), count(*)
  from session s where s.created_at >= since group by 1
$$;

-- Who was seen today counts all day, also after the session has ended.
create or replace function installation_counts(since timestamptz)
  returns table (online bigint, daily_users bigint, total_students bigint)
  language sql stable security definer set search_path = public as $$
  select (select count(distinct account_id) from session where ended_at is null and last_seen_at > now() - interval '15 minutes'),
    (select count(*) from account_seen where last_seen_at >= since),
    (select count(*) from account a join program p on p.id = a.program_id and p.deleted_at is null
     where a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null)
$$;
create index account_seen_at on account_seen (last_seen_at);

create index mail_bounced on mail (bounced_at) where bounced_at is not null;
create index stored_file_bytes on stored_file (byte_count);
create index mail_failed on mail (created_at) where status = 4 and blocked_at is null and cancelled_at is null;
create index audit_refused on audit (at) where action = 'sign-in refused';

-- Hours recorded in the programs of a page of the list: kept days, and the records of those after them.
create function program_hours(programs bigint[], days integer) returns table (program_id bigint, minutes bigint)
  language sql stable security definer set search_path = public as $$
  select p.id, coalesce(k.minutes, 0)::bigint + coalesce(r.minutes, 0)::bigint
  from unnest(programs) as p (id)
  left join lateral (select sum(d.approved_minutes + d.pending_minutes) as minutes from attendance_day d
    where d.program_id = p.id and d.date >= current_date - days) k on true
  left join lateral (select sum(r.minutes) as minutes from time_record r
    where r.program_id = p.id and r.deleted_at is null and r.is_matched and r.minutes > 0 and r.kind <> 'absence'
      and r.status <> 'rejected' and r.date >= current_date - days
      and r.date > coalesce((select max(d.date) from attendance_day d where d.program_id = p.id), '-infinity')) r on true
  where (select current_setting('app.super', true)) = 'on'
$$;

-- Disk space. As owner: files of every program count.
create function installation_storage() returns table (files bigint, file_bytes bigint, database_bytes bigint)
  language sql stable security definer set search_path = public as $$
  select count(*), coalesce(sum(byte_count), 0)::bigint, pg_database_size(current_database()) from stored_file
  where (select current_setting('app.super', true)) = 'on'
$$;

-- Work of the queue that waits longer than it should, or failed. The queue makes its tables after the first migration.
create function installation_jobs() returns table (waiting bigint, late bigint, failed bigint, failed_day bigint)
  language plpgsql stable security definer set search_path = public as $$
begin
  if to_regclass('graphile_worker.jobs') is null then
    return query select 0::bigint, 0::bigint, 0::bigint, 0::bigint;
  else
    return query select count(*) filter (where j.attempts < j.max_attempts),
      count(*) filter (where j.attempts < j.max_attempts and j.locked_at is null and j.run_at < now() - interval '5 minutes'),
      count(*) filter (where j.attempts >= j.max_attempts),
      count(*) filter (where j.last_error is not null and j.updated_at > now() - interval '1 day')
    from graphile_worker.jobs j;
  end if;
end $$;

-- Uploads of the last day that failed, and sign-ins that were refused.
create function installation_failures(since timestamptz) returns table (imports bigint, refused bigint)
  language sql stable security definer set search_path = public as $$
  select (select count(*) from import_run where status = 'failed' and updated_at >= since),
    (select count(*) from audit where at >= since and action = 'sign-in refused')
$$;
