-- What time comes to, kept by the changes themselves: totals, hours summary, counts of the approve list and home pages add up
-- a few rows a student or site in place of every record and shift.

-- Records that count and planned shifts, by student, rotation, site and month. A change only adds a row with the difference,
-- so that writers never wait for each other here; a job folds the rows of a key into one. The sum over a key is right at any
-- moment, folded or not.
create table time_sum (
  program_id bigint not null references program,
  student_id bigint not null,
  -- 0 outside any rotation.
  rotation_id bigint not null,
  -- 0 without a site.
  site_id bigint not null,
  -- Its first day.
  month date not null,
  kind text not null check (kind in ('out', 'exception', 'makeup', 'absence', 'planned')),
  -- Records, or shifts where they are planned.
  records integer not null,
  minutes integer not null,
  -- Of the minutes, those that nobody has approved yet.
  pending_minutes integer not null,
  is_folded boolean not null default false
);
create index time_sum_student on time_sum (program_id, student_id);
create index time_sum_site on time_sum (program_id, site_id);
create index time_sum_new on time_sum (program_id) where not is_folded;
call protect_by_program('time_sum');

-- Worked time by week, without students: the charts of weeks.
create table week_sum (
  program_id bigint not null references program,
  monday date not null,
  rotation_id bigint not null,
  site_id bigint not null,
  kind text not null check (kind in ('out', 'exception', 'makeup')),
  minutes integer not null,
  pending_minutes integer not null,
  is_folded boolean not null default false
);
create index week_sum_monday on week_sum (program_id, monday);
create index week_sum_new on week_sum (program_id) where not is_folded;
call protect_by_program('week_sum');

-- Pending records by insight and site, also those without their other half: the tabs of the approve list.
create table pending_sum (
  program_id bigint not null references program,
  -- 0 without a site.
  site_id bigint not null,
  insight smallint not null,
  is_matched boolean not null,
  records integer not null,
  -- Without those of absences.
  minutes integer not null,
  is_folded boolean not null default false
);
create index pending_sum_site on pending_sum (program_id, site_id);
create index pending_sum_new on pending_sum (program_id) where not is_folded;
call protect_by_program('pending_sum');

-- Planned shifts by student and rotation, all and of them those that had ended at the moment of `plan_until`. Only the shifts
-- since then are looked at when somebody asks what is still ahead.
create table plan_sum (
  program_id bigint not null references program,
  student_id bigint not null,
  rotation_id bigint not null,
  shifts integer not null,
  minutes integer not null,
  past_shifts integer not null,
  past_minutes integer not null,
  is_folded boolean not null default false
);
create index plan_sum_student on plan_sum (program_id, student_id);
create index plan_sum_rotation on plan_sum (program_id, rotation_id);
create index plan_sum_new on plan_sum (program_id) where not is_folded;
call protect_by_program('plan_sum');
create table plan_until (
  program_id bigint primary key references program,
  until timestamptz not null
);
call protect_by_program('plan_until');

-- The hours of everybody in one rotation.
create index student_hours_rotation on student_hours (program_id, rotation_id);

-- What a statement has changed, rows that stay as they were left out: how many records of a kind there are more, or fewer.
create type record_change as (program_id bigint, student_id bigint, rotation_id bigint, site_id bigint, date date, kind text,
  minutes integer, status text, is_matched boolean, insight smallint, records bigint);
create function keep_record_changes(changes record_change[]) returns void
  language plpgsql security definer set search_path = public as $$
begin
  with changed as materialized (
    select c.program_id, c.student_id, coalesce(c.rotation_id, 0) as rotation_id, coalesce(c.site_id, 0) as site_id, c.date, c.kind,
      c.status = 'pending' as is_pending, c.is_matched, c.insight, c.records, c.records * c.minutes as minutes
    from unnest(changes) c),
  counted as materialized (
    select c.*, case when c.is_pending then c.minutes else 0 end as pending_minutes from changed c
    where c.kind <> 'in' and c.is_matched),
  by_month as (
    insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      select program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, kind, sum(records), sum(minutes),
        sum(pending_minutes)
      from counted group by 1, 2, 3, 4, 5, 6
      having (sum(records), sum(minutes), sum(pending_minutes)) <> (0, 0, 0)),
  by_week as (
    insert into week_sum (program_id, monday, rotation_id, site_id, kind, minutes, pending_minutes)
      select program_id, date_trunc('week', date)::date, rotation_id, site_id, kind, sum(minutes), sum(pending_minutes)
      from counted where kind <> 'absence' group by 1, 2, 3, 4, 5 having (sum(minutes), sum(pending_minutes)) <> (0, 0))
  insert into pending_sum (program_id, site_id, insight, is_matched, records, minutes)
    select program_id, site_id, insight, is_matched, sum(records),
      coalesce(sum(minutes) filter (where kind <> 'absence'), 0)
    from changed where is_pending group by 1, 2, 3, 4
    having (sum(records), coalesce(sum(minutes) filter (where kind <> 'absence'), 0)) <> (0, 0);
end $$;

create function keep_new_records() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes record_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.kind, c.minutes, c.status, c.is_matched,
    c.insight, 1)::record_change) into changes
  from changed c where c.deleted_at is null and c.status <> 'rejected';
  if changes is not null then perform keep_record_changes(changes); end if;
  return null;
end $$;
create function keep_gone_records() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes record_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.kind, c.minutes, c.status, c.is_matched,
    c.insight, -1)::record_change) into changes
  from was c where c.deleted_at is null and c.status <> 'rejected';
  if changes is not null then perform keep_record_changes(changes); end if;
  return null;
end $$;
create function keep_changed_records() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes record_change[];
begin
  select array_agg(c::record_change) into changes from (
    select program_id, student_id, rotation_id, site_id, date, kind, minutes, status, is_matched, insight, sum(sign) as records
    from (
      select program_id, student_id, rotation_id, site_id, date, kind, minutes, status, is_matched, insight, deleted_at, -1 as sign
      from was
      union all
      select program_id, student_id, rotation_id, site_id, date, kind, minutes, status, is_matched, insight, deleted_at, 1
      from changed) c
    where deleted_at is null and status <> 'rejected'
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(sign) <> 0) c;
  if changes is not null then perform keep_record_changes(changes); end if;
  return null;
end $$;
create trigger keep_sums_new after insert on time_record
  referencing new table as changed for each statement execute function keep_new_records();
create trigger keep_sums_changed after update on time_record
  referencing old table as was new table as changed for each statement execute function keep_changed_records();
create trigger keep_sums_gone after delete on time_record
  referencing old table as was for each statement execute function keep_gone_records();

-- The moment up to which shifts of a program are counted as past, held as it is until the transaction ends. Many can hold it
-- at once; the job that moves it on comes again later while anybody does. A transaction that sees an older state than this
-- moment fails here, as one that changes a row somebody else has changed: it is tried again.
create function hold_plan_until(of_program bigint) returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('plan:' || of_program, 0));
  if current_setting('transaction_isolation') <> 'read committed' then
    insert into plan_until (program_id, until) values (of_program, '-infinity') on conflict do nothing;
    perform from plan_until p where p.program_id = of_program for share;
  end if;
  return coalesce((select p.until from plan_until p where p.program_id = of_program), '-infinity');
end $$;

-- The minutes of a shift.
create function shift_minutes(starts_at timestamptz, ends_at timestamptz) returns integer language sql immutable
  return extract(epoch from ends_at - starts_at)::integer / 60;

-- As above, for shifts.
create type shift_change as (program_id bigint, student_id bigint, rotation_id bigint, site_id bigint, date date,
  ends_at timestamptz, minutes integer, shifts bigint);
create function keep_shift_changes(changes shift_change[]) returns void
  language plpgsql security definer set search_path = public as $$
begin
  with until as materialized (
    select p.program_id, hold_plan_until(p.program_id) as moment
    from (select distinct c.program_id from unnest(changes) c order by 1) p),
  changed as materialized (
    select c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.shifts, c.shifts * c.minutes as minutes,
      case when c.ends_at <= u.moment then 1 else 0 end as past
    from unnest(changes) c join until u on u.program_id = c.program_id),
  by_month as (
    insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      select program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, 'planned', sum(shifts), sum(minutes), 0
      from changed group by 1, 2, 3, 4, 5 having (sum(shifts), sum(minutes)) <> (0, 0))
  insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes)
    select program_id, student_id, rotation_id, sum(shifts), sum(minutes), sum(past * shifts), sum(past * minutes)
    from changed group by 1, 2, 3
    having (sum(shifts), sum(minutes), sum(past * shifts), sum(past * minutes)) <> (0, 0, 0, 0);
end $$;

create function keep_new_shifts() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at),
    1)::shift_change) into changes
  from changed c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;
create function keep_gone_shifts() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at),
    -1)::shift_change) into changes
  from was c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;
create function keep_changed_shifts() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes shift_change[];
begin
  select array_agg(c::shift_change) into changes from (
    select program_id, student_id, rotation_id, site_id, date, ends_at, shift_minutes(starts_at, ends_at), sum(sign)
    from (
      select program_id, student_id, rotation_id, site_id, date, starts_at, ends_at, removed_at, -1 as sign from was
      union all
      select program_id, student_id, rotation_id, site_id, date, starts_at, ends_at, removed_at, 1 from changed) c
    where removed_at is null group by 1, 2, 3, 4, 5, 6, 7 having sum(sign) <> 0) c;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;
create trigger keep_sums_new after insert on shift_assignment
  referencing new table as changed for each statement execute function keep_new_shifts();
create trigger keep_sums_changed after update on shift_assignment
  referencing old table as was new table as changed for each statement execute function keep_changed_shifts();
create trigger keep_sums_gone after delete on shift_assignment
  referencing old table as was for each statement execute function keep_gone_shifts();

-- Moves the moment on to the last full hour: shifts that have ended since become past. While somebody changes shifts of the
-- program it stays where it is, which is right too.
create function move_plan_until(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
declare
  was timestamptz;
  next timestamptz := date_trunc('hour', now());
begin
  if not pg_try_advisory_xact_lock(hashtextextended('plan:' || of_program, 0)) then return; end if;
  select coalesce(max(p.until), '-infinity') into was from plan_until p where p.program_id = of_program;
  if was >= next then return; end if;
  insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes)
    select of_program, a.student_id, a.rotation_id, 0, 0, count(*), sum(shift_minutes(a.starts_at, a.ends_at))
    from shift_assignment a
    where a.program_id = of_program and a.removed_at is null and a.ends_at > was and a.ends_at <= next
      -- Its day, wherever the site is, finds a shift by the index.
      and a.date >= (was - interval '2 days')::date and a.date <= (next + interval '1 day')::date
    group by 2, 3;
  insert into plan_until as p (program_id, until) values (of_program, next)
    on conflict (program_id) do update set until = excluded.until;
end $$;

-- Folds what changes have added into one row a key. As owner, over all programs at once; whoever comes while another does it
-- has nothing to do.
create function fold_time_sums() returns void language plpgsql security definer set search_path = public as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('time sums')) then return; end if;
  with new as (
    delete from time_sum where not is_folded
    returning program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes),
  kept as (
    delete from time_sum s using (select distinct program_id, student_id, rotation_id, site_id, month, kind from new) n
    where s.is_folded and s.program_id = n.program_id and s.student_id = n.student_id and s.rotation_id = n.rotation_id
      and s.site_id = n.site_id and s.month = n.month and s.kind = n.kind
    returning s.program_id, s.student_id, s.rotation_id, s.site_id, s.month, s.kind, s.records, s.minutes, s.pending_minutes)
  insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes, is_folded)
    select program_id, student_id, rotation_id, site_id, month, kind, sum(records), sum(minutes), sum(pending_minutes), true
    from (select * from new union all select * from kept) a group by 1, 2, 3, 4, 5, 6
    having (sum(records), sum(minutes), sum(pending_minutes)) <> (0, 0, 0);
  with new as (
    delete from week_sum where not is_folded returning program_id, monday, rotation_id, site_id, kind, minutes, pending_minutes),
  kept as (
    delete from week_sum s using (select distinct program_id, monday, rotation_id, site_id, kind from new) n
    where s.is_folded and s.program_id = n.program_id and s.monday = n.monday and s.rotation_id = n.rotation_id
      and s.site_id = n.site_id and s.kind = n.kind
    returning s.program_id, s.monday, s.rotation_id, s.site_id, s.kind, s.minutes, s.pending_minutes)
  insert into week_sum (program_id, monday, rotation_id, site_id, kind, minutes, pending_minutes, is_folded)
    select program_id, monday, rotation_id, site_id, kind, sum(minutes), sum(pending_minutes), true
    from (select * from new union all select * from kept) a group by 1, 2, 3, 4, 5
    having (sum(minutes), sum(pending_minutes)) <> (0, 0);
  with new as (
    delete from pending_sum where not is_folded returning program_id, site_id, insight, is_matched, records, minutes),
  kept as (
    delete from pending_sum s using (select distinct program_id, site_id, insight, is_matched from new) n
    where s.is_folded and s.program_id = n.program_id and s.site_id = n.site_id and s.insight = n.insight
      and s.is_matched = n.is_matched
    returning s.program_id, s.site_id, s.insight, s.is_matched, s.records, s.minutes)
  insert into pending_sum (program_id, site_id, insight, is_matched, records, minutes, is_folded)
    select program_id, site_id, insight, is_matched, sum(records), sum(minutes), true
    from (select * from new union all select * from kept) a group by 1, 2, 3, 4
    having (sum(records), sum(minutes)) <> (0, 0);
  with new as (
    delete from plan_sum where not is_folded
    returning program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes),
  kept as (
    delete from plan_sum s using (select distinct program_id, student_id, rotation_id from new) n
    where s.is_folded and s.program_id = n.program_id and s.student_id = n.student_id and s.rotation_id = n.rotation_id
    returning s.program_id, s.student_id, s.rotation_id, s.shifts, s.minutes, s.past_shifts, s.past_minutes)
  insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes, is_folded)
    select program_id, student_id, rotation_id, sum(shifts), sum(minutes), sum(past_shifts), sum(past_minutes), true
    from (select * from new union all select * from kept) a group by 1, 2, 3
    having (sum(shifts), sum(minutes), sum(past_shifts), sum(past_minutes)) <> (0, 0, 0, 0);
end $$;

-- By how much the sums of a program, or of all, miss what its records and shifts come to, as rows to add. Sums and what they
-- sum up change in the same transaction, so that one statement always sees both sides alike, whoever writes meanwhile.
create function missing_time(of_program bigint) returns setof time_sum language sql stable as $$
  select program_id, student_id, rotation_id, site_id, month, kind, sum(records)::integer, sum(minutes)::integer,
    sum(pending_minutes)::integer, false
  from (
    select r.program_id, r.student_id, coalesce(r.rotation_id, 0) as rotation_id, coalesce(r.site_id, 0) as site_id,
      date_trunc('month', r.date)::date as month, r.kind, 1 as records, r.minutes,
      case when r.status = 'pending' then r.minutes else 0 end as pending_minutes
    from time_record r
    where (of_program is null or r.program_id = of_program) and r.kind <> 'in' and r.is_matched and r.status <> 'rejected'
      and r.deleted_at is null
    union all
    select a.program_id, a.student_id, a.rotation_id, a.site_id, date_trunc('month', a.date)::date, 'planned', 1,
      shift_minutes(a.starts_at, a.ends_at), 0
    from shift_assignment a where (of_program is null or a.program_id = of_program) and a.removed_at is null
    union all
    select program_id, student_id, rotation_id, site_id, month, kind, -records, -minutes, -pending_minutes from time_sum
    where of_program is null or program_id = of_program) a
  group by 1, 2, 3, 4, 5, 6 having (sum(records), sum(minutes), sum(pending_minutes)) <> (0, 0, 0)
$$;
create function missing_weeks(of_program bigint) returns setof week_sum language sql stable as $$
  select program_id, monday, rotation_id, site_id, kind, sum(minutes)::integer, sum(pending_minutes)::integer, false
  from (
    select r.program_id, date_trunc('week', r.date)::date as monday, coalesce(r.rotation_id, 0) as rotation_id,
      coalesce(r.site_id, 0) as site_id, r.kind, r.minutes, case when r.status = 'pending' then r.minutes else 0 end as pending_minutes
    from time_record r
    where (of_program is null or r.program_id = of_program) and r.kind not in ('in', 'absence') and r.is_matched
      and r.status <> 'rejected' and r.deleted_at is null
    union all
    select program_id, monday, rotation_id, site_id, kind, -minutes, -pending_minutes from week_sum
    where of_program is null or program_id = of_program) a
  group by 1, 2, 3, 4, 5 having (sum(minutes), sum(pending_minutes)) <> (0, 0)
$$;
create function missing_pending(of_program bigint) returns setof pending_sum language sql stable as $$
  select program_id, site_id, insight, is_matched, sum(records)::integer, sum(minutes)::integer, false
  from (
    select r.program_id, coalesce(r.site_id, 0) as site_id, r.insight, r.is_matched, 1 as records,
      case when r.kind = 'absence' then 0 else r.minutes end as minutes
    from time_record r
    where (of_program is null or r.program_id = of_program) and r.status = 'pending' and r.deleted_at is null
    union all
    select program_id, site_id, insight, is_matched, -records, -minutes from pending_sum
    where of_program is null or program_id = of_program) a
  group by 1, 2, 3, 4 having (sum(records), sum(minutes)) <> (0, 0)
$$;
create function missing_plans(of_program bigint) returns setof plan_sum language sql stable as $$
  select program_id, student_id, rotation_id, sum(shifts)::integer, sum(minutes)::integer, sum(past_shifts)::integer,
    sum(past_minutes)::integer, false
  from (
    select s.program_id, s.student_id, s.rotation_id, 1 as shifts, shift_minutes(s.starts_at, s.ends_at) as minutes,
      case when s.ends_at <= p.until then 1 else 0 end as past_shifts,
      case when s.ends_at <= p.until then shift_minutes(s.starts_at, s.ends_at) else 0 end as past_minutes
    from shift_assignment s left join plan_until p on p.program_id = s.program_id
    where (of_program is null or s.program_id = of_program) and s.removed_at is null
    union all
    select program_id, student_id, rotation_id, -shifts, -minutes, -past_shifts, -past_minutes from plan_sum
    where of_program is null or program_id = of_program) a
  group by 1, 2, 3 having (sum(shifts), sum(minutes), sum(past_shifts), sum(past_minutes)) <> (0, 0, 0, 0)
$$;
create function missing_hours(of_program bigint) returns setof student_hours language sql stable as $$
  select program_id, student_id, rotation_id, sum(approved)::integer, sum(pending)::integer, sum(absence)::integer,
    sum(makeup)::integer
  from (
    select r.program_id, r.student_id, coalesce(r.rotation_id, 0) as rotation_id,
      case when r.kind <> 'absence' and r.status = 'approved' then r.minutes else 0 end as approved,
      case when r.kind <> 'absence' and r.status = 'pending' then r.minutes else 0 end as pending,
      case when r.kind = 'absence' then r.minutes else 0 end as absence,
      case when r.kind = 'makeup' then r.minutes else 0 end as makeup
    from time_record r
    where (of_program is null or r.program_id = of_program) and r.kind <> 'in' and r.is_matched and r.status <> 'rejected'
      and r.deleted_at is null
    union all
    select program_id, student_id, rotation_id, -approved_minutes, -pending_minutes, -absence_minutes, -makeup_minutes
    from student_hours where of_program is null or program_id = of_program) a
  group by 1, 2, 3 having (sum(approved), sum(pending), sum(absence), sum(makeup)) <> (0, 0, 0, 0)
$$;

-- How many keys of a program's sums are wrong, by table.
create function wrong_time_sums(of_program bigint) returns table (name text, keys bigint)
  language sql stable security definer set search_path = public as $$
  select 'time_sum', count(*) from missing_time(of_program)
  union all select 'week_sum', count(*) from missing_weeks(of_program)
  union all select 'pending_sum', count(*) from missing_pending(of_program)
  union all select 'plan_sum', count(*) from missing_plans(of_program)
  union all select 'student_hours', count(*) from missing_hours(of_program)
$$;

-- Adds what the sums of a program, or of all, miss. Nobody waits for it but those who change the hours of the same students.
create function recount_time_sums(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
begin
  -- Of two at once, the second would add the same again.
  perform pg_advisory_xact_lock(hashtext('time sums'));
  insert into time_sum select * from missing_time(of_program) order by program_id, student_id;
  insert into week_sum select * from missing_weeks(of_program) order by program_id, monday;
  insert into pending_sum select * from missing_pending(of_program);
  insert into plan_sum select * from missing_plans(of_program) order by program_id, rotation_id, student_id;
  insert into student_hours as h select * from missing_hours(of_program) order by program_id, student_id, rotation_id
    on conflict (program_id, student_id, rotation_id) do update set
      approved_minutes = h.approved_minutes + excluded.approved_minutes,
      pending_minutes = h.pending_minutes + excluded.pending_minutes,
      absence_minutes = h.absence_minutes + excluded.absence_minutes,
      makeup_minutes = h.makeup_minutes + excluded.makeup_minutes;
end $$;

-- What there is already.
insert into plan_until (program_id, until) select id, date_trunc('hour', now()) from program;
select recount_time_sums(null);
