call read_across('attendance_day', 'program_id, date, approved_minutes, pending_minutes');
call read_across('time_record', 'program_id, kind, date, occurred_at, minutes, status, is_matched, reasons, deleted_at');
call read_across('student_hours', 'program_id, student_id, approved_minutes');

-- Punches, of which there are many at once, are told by the process that kept them, after their commit. The same
-- message is sent once a transaction, whatever the number of its rows.
create or replace function tell_time_record() returns trigger language plpgsql as $$
begin
  perform pg_notify('practicum_live', 'time-records:' || new.program_id || ':0');
  return null;
end $$;

-- One change is added as it is. Two of a clock-in, which counts no hours, have nothing in common that a group would find.
create or replace function keep_record_changes(changes record_change[]) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  one record_change;
  changed_minutes bigint;
begin
  if cardinality(changes) = 1 or (cardinality(changes) = 2 and (changes[1]).kind = 'in' and (changes[2]).kind = 'in') then
    foreach one in array changes loop
      changed_minutes := one.records * one.minutes;
      if one.kind <> 'in' and one.is_matched then
        insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
        values (one.program_id, one.student_id, coalesce(one.rotation_id, 0), coalesce(one.site_id, 0), date_trunc('month', one.date)::date, one.kind,
          one.records, changed_minutes, case when one.status = 'pending' then changed_minutes else 0 end);
        if one.kind <> 'absence' and changed_minutes <> 0 then
          insert into week_sum (program_id, week, rotation_id, site_id, kind, minutes, pending_minutes)
          values (one.program_id, week_of(one.date), coalesce(one.rotation_id, 0), coalesce(one.site_id, 0), one.kind, changed_minutes,
            case when one.status = 'pending' then changed_minutes else 0 end);
        end if;
        insert into student_hours as h (program_id, student_id, rotation_id, records, approved_minutes, pending_minutes, absence_minutes,
          makeup_minutes)
        values (one.program_id, one.student_id, coalesce(one.rotation_id, 0), one.records,
          case when one.kind <> 'absence' and one.status = 'approved' then changed_minutes else 0 end,
          case when one.kind <> 'absence' and one.status = 'pending' then changed_minutes else 0 end,
          case when one.kind = 'absence' then changed_minutes else 0 end,
          case when one.kind = 'makeup' then changed_minutes else 0 end)
        on conflict (program_id, student_id, rotation_id) do update set records = h.records + excluded.records,
          approved_minutes = h.approved_minutes + excluded.approved_minutes, pending_minutes = h.pending_minutes + excluded.pending_minutes,
          absence_minutes = h.absence_minutes + excluded.absence_minutes, makeup_minutes = h.makeup_minutes + excluded.makeup_minutes;
      end if;
    end loop;
    return;
  end if;
  with counted as materialized (
    select c.program_id, c.student_id, coalesce(c.rotation_id, 0) as rotation_id, coalesce(c.site_id, 0) as site_id, c.date, c.kind,
      c.records, c.records * c.minutes as minutes, case when c.status = 'pending' then c.records * c.minutes else 0 end as pending_minutes
    from unnest(changes) c where c.kind <> 'in' and c.is_matched),
  by_month as (
    insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      select program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, kind, sum(records), sum(minutes),
        sum(pending_minutes)
      from counted group by 1, 2, 3, 4, 5, 6
      having (sum(records), sum(minutes), sum(pending_minutes)) <> (0, 0, 0)),
  by_student as (
    insert into student_hours as h (program_id, student_id, rotation_id, records, approved_minutes, pending_minutes, absence_minutes,
      makeup_minutes)
      select program_id, student_id, rotation_id, sum(records),
        coalesce(sum(minutes - pending_minutes) filter (where kind <> 'absence'), 0),
        coalesce(sum(pending_minutes) filter (where kind <> 'absence'), 0),
        coalesce(sum(minutes) filter (where kind = 'absence'), 0), coalesce(sum(minutes) filter (where kind = 'makeup'), 0)
      from counted group by 1, 2, 3 order by 1, 2, 3
    on conflict (program_id, student_id, rotation_id) do update set records = h.records + excluded.records,
      approved_minutes = h.approved_minutes + excluded.approved_minutes, pending_minutes = h.pending_minutes + excluded.pending_minutes,
      absence_minutes = h.absence_minutes + excluded.absence_minutes, makeup_minutes = h.makeup_minutes + excluded.makeup_minutes)
  insert into week_sum (program_id, week, rotation_id, site_id, kind, minutes, pending_minutes)
    select program_id, week_of(date), rotation_id, site_id, kind, sum(minutes), sum(pending_minutes)
    from counted where kind <> 'absence' group by 1, 2, 3, 4, 5 having (sum(minutes), sum(pending_minutes)) <> (0, 0);
end $$;

create or replace function keep_new_records() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes record_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.kind, c.minutes, c.status, c.is_matched,
    1)::record_change) into changes
  from changed c where c.deleted_at is null and c.status <> 'rejected';
  if changes is not null then perform keep_record_changes(changes); end if;
  return null;
end $$;

create or replace function keep_gone_records() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes record_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.kind, c.minutes, c.status, c.is_matched,
    -1)::record_change) into changes
  from was c where c.deleted_at is null and c.status <> 'rejected';
  if changes is not null then perform keep_record_changes(changes); end if;
  return null;
end $$;

create or replace function keep_changed_records() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes record_change[];
begin
  select array_agg(c::record_change) into changes from (
    select program_id, student_id, rotation_id, site_id, date, kind, minutes, status, is_matched, sum(sign) as records
    from (
      select program_id, student_id, rotation_id, site_id, date, kind, minutes, status, is_matched, deleted_at, -1 as sign
      from was
      union all
      select program_id, student_id, rotation_id, site_id, date, kind, minutes, status, is_matched, deleted_at, 1
      from changed) c
    where deleted_at is null and status <> 'rejected'
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(sign) <> 0) c;
  if changes is not null then perform keep_record_changes(changes); end if;
  return null;
end $$;

-- The moment up to which shifts of a program are counted as past, held as it is until the transaction ends. Many can hold it
-- at once; the job that moves it on comes again later while anybody does. A transaction that sees an older state than this
-- moment fails here, as one that changes a row somebody else has changed: it is tried again.
create or replace function hold_plan_until(of_program bigint) returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('plan:' || of_program, 0));
  if current_setting('transaction_isolation') <> 'read committed' then
    insert into plan_until (program_id, until) values (of_program, '-infinity') on conflict do nothing;
    perform from plan_until p where p.program_id = of_program for share;
  end if;
  return coalesce((select p.until from plan_until p where p.program_id = of_program), '-infinity');
end $$;

-- The minutes of a shift.
create or replace function shift_minutes(starts_at timestamptz, ends_at timestamptz) returns integer language sql immutable
  return extract(epoch from ends_at - starts_at)::integer / 60;

create or replace function keep_shift_changes(changes shift_change[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
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
  insert into student_hours as h (program_id, student_id, rotation_id, shifts, planned_minutes, past_shifts, past_minutes)
    select program_id, student_id, rotation_id, sum(shifts), sum(minutes), sum(past * shifts), sum(past * minutes)
    from changed group by 1, 2, 3
    having (sum(shifts), sum(minutes), sum(past * shifts), sum(past * minutes)) <> (0, 0, 0, 0) order by 1, 2, 3
  on conflict (program_id, student_id, rotation_id) do update set shifts = h.shifts + excluded.shifts,
    planned_minutes = h.planned_minutes + excluded.planned_minutes, past_shifts = h.past_shifts + excluded.past_shifts,
    past_minutes = h.past_minutes + excluded.past_minutes;
end $$;

create or replace function keep_new_shifts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at) - c.meal_minutes,
    1)::shift_change) into changes
  from changed c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;

create or replace function keep_gone_shifts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at) - c.meal_minutes,
    -1)::shift_change) into changes
  from was c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;

create or replace function keep_changed_shifts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes shift_change[];
begin
  select array_agg(c::shift_change) into changes from (
    select program_id, student_id, rotation_id, site_id, date, ends_at, shift_minutes(starts_at, ends_at) - meal_minutes, sum(sign)
    from (
      select program_id, student_id, rotation_id, site_id, date, starts_at, ends_at, meal_minutes, removed_at, -1 as sign from was
      union all
      select program_id, student_id, rotation_id, site_id, date, starts_at, ends_at, meal_minutes, removed_at, 1 from changed) c
    where removed_at is null group by 1, 2, 3, 4, 5, 6, 7 having sum(sign) <> 0) c;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;

create or replace function move_plan_until(of_program bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was timestamptz;
  next timestamptz := date_trunc('hour', now());
begin
  if not pg_try_advisory_xact_lock(hashtextextended('plan:' || of_program, 0)) then return; end if;
  select coalesce(max(p.until), '-infinity') into was from plan_until p where p.program_id = of_program;
  if was >= next then return; end if;
  insert into student_hours as h (program_id, student_id, rotation_id, past_shifts, past_minutes)
    select of_program, a.student_id, a.rotation_id, count(*), sum(shift_minutes(a.starts_at, a.ends_at) - a.meal_minutes)
    from shift_assignment a
    where a.program_id = of_program and a.removed_at is null and a.ends_at > was and a.ends_at <= next
      -- Its day, wherever the site is, finds a shift by the index.
      and a.date >= (was - interval '2 days')::date and a.date <= (next + interval '1 day')::date
    group by 2, 3 order by 2, 3
  on conflict (program_id, student_id, rotation_id) do update set past_shifts = h.past_shifts + excluded.past_shifts,
    past_minutes = h.past_minutes + excluded.past_minutes;
  insert into plan_until as p (program_id, until) values (of_program, next)
    on conflict (program_id) do update set until = excluded.until;
end $$;

-- Folds what changes have added into one row a key. As owner, over all programs at once; whoever comes while another does it
-- has nothing to do.
create or replace function fold_time_sums() returns void language plpgsql security definer set search_path = public, pg_temp as $$
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
    delete from week_sum where not is_folded returning program_id, week, rotation_id, site_id, kind, minutes, pending_minutes),
  kept as (
    delete from week_sum s using (select distinct program_id, week, rotation_id, site_id, kind from new) n
    where s.is_folded and s.program_id = n.program_id and s.week = n.week and s.rotation_id = n.rotation_id
      and s.site_id = n.site_id and s.kind = n.kind
    returning s.program_id, s.week, s.rotation_id, s.site_id, s.kind, s.minutes, s.pending_minutes)
  insert into week_sum (program_id, week, rotation_id, site_id, kind, minutes, pending_minutes, is_folded)
    select program_id, week, rotation_id, site_id, kind, sum(minutes), sum(pending_minutes), true
    from (select * from new union all select * from kept) a group by 1, 2, 3, 4, 5
    having (sum(minutes), sum(pending_minutes)) <> (0, 0);
end $$;

create or replace function missing_time(of_program bigint) returns setof time_sum language sql stable as $$
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
      shift_minutes(a.starts_at, a.ends_at) - a.meal_minutes, 0
    from shift_assignment a where (of_program is null or a.program_id = of_program) and a.removed_at is null
    union all
    select program_id, student_id, rotation_id, site_id, month, kind, -records, -minutes, -pending_minutes from time_sum
    where of_program is null or program_id = of_program) a
  group by 1, 2, 3, 4, 5, 6 having (sum(records), sum(minutes), sum(pending_minutes)) <> (0, 0, 0)
$$;

create or replace function missing_weeks(of_program bigint) returns setof week_sum language sql stable as $$
  select program_id, week, rotation_id, site_id, kind, sum(minutes)::integer, sum(pending_minutes)::integer, false
  from (
    select r.program_id, week_of(r.date) as week, coalesce(r.rotation_id, 0) as rotation_id,
      coalesce(r.site_id, 0) as site_id, r.kind, r.minutes, case when r.status = 'pending' then r.minutes else 0 end as pending_minutes
    from time_record r
    where (of_program is null or r.program_id = of_program) and r.kind not in ('in', 'absence') and r.is_matched
      and r.status <> 'rejected' and r.deleted_at is null
    union all
    select program_id, week, rotation_id, site_id, kind, -minutes, -pending_minutes from week_sum
    where of_program is null or program_id = of_program) a
  group by 1, 2, 3, 4, 5 having (sum(minutes), sum(pending_minutes)) <> (0, 0)
$$;

create or replace function missing_hours(of_program bigint) returns setof student_hours language sql stable as $$
  select program_id, student_id, rotation_id, sum(approved)::integer, sum(pending)::integer, sum(absence)::integer,
    sum(makeup)::integer, sum(records)::integer, sum(shifts)::integer, sum(planned)::integer, sum(past_shifts)::integer,
    sum(past_minutes)::integer
  from (
    select r.program_id, r.student_id, coalesce(r.rotation_id, 0) as rotation_id,
      case when r.kind <> 'absence' and r.status = 'approved' then r.minutes else 0 end as approved,
      case when r.kind <> 'absence' and r.status = 'pending' then r.minutes else 0 end as pending,
      case when r.kind = 'absence' then r.minutes else 0 end as absence,
      case when r.kind = 'makeup' then r.minutes else 0 end as makeup, 1 as records, 0 as shifts, 0 as planned,
      0 as past_shifts, 0 as past_minutes
    from time_record r
    where (of_program is null or r.program_id = of_program) and r.kind <> 'in' and r.is_matched and r.status <> 'rejected'
      and r.deleted_at is null
    union all
    select a.program_id, a.student_id, a.rotation_id, 0, 0, 0, 0, 0, 1, m.minutes, coalesce((a.ends_at <= p.until)::integer, 0),
      case when a.ends_at <= p.until then m.minutes else 0 end
    from shift_assignment a left join plan_until p on p.program_id = a.program_id
    cross join lateral (select shift_minutes(a.starts_at, a.ends_at) - a.meal_minutes as minutes) m
    where (of_program is null or a.program_id = of_program) and a.removed_at is null
    union all
    select program_id, student_id, rotation_id, -approved_minutes, -pending_minutes, -absence_minutes, -makeup_minutes, -records, -shifts,
      -planned_minutes, -past_shifts, -past_minutes
    from student_hours where of_program is null or program_id = of_program) a
  group by 1, 2, 3
  having (sum(approved), sum(pending), sum(absence), sum(makeup), sum(records), sum(shifts), sum(planned),
    sum(past_shifts), sum(past_minutes)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
$$;

-- The proof and the repair of the sums of time include these.
create or replace function wrong_time_sums(of_program bigint) returns table (name text, keys bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select 'time_sum', count(*) from missing_time(of_program)
  union all select 'week_sum', count(*) from missing_weeks(of_program)
  union all select 'student_hours', count(*) from missing_hours(of_program)
  union all select w.name, sum(w.keys)::bigint from program p cross join lateral wrong_rotations(p.id) w
    where of_program is null or p.id = of_program group by 1
$$;

create or replace function recount_time_sums(of_program bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Of two at once, the second would add the same again.
  perform pg_advisory_xact_lock(hashtext('time sums'));
  insert into time_sum select * from missing_time(of_program) order by program_id, student_id;
  insert into week_sum select * from missing_weeks(of_program) order by program_id, week;
  insert into student_hours as h select * from missing_hours(of_program) order by program_id, student_id, rotation_id
    on conflict (program_id, student_id, rotation_id) do update set
      approved_minutes = h.approved_minutes + excluded.approved_minutes,
      pending_minutes = h.pending_minutes + excluded.pending_minutes,
      absence_minutes = h.absence_minutes + excluded.absence_minutes,
      makeup_minutes = h.makeup_minutes + excluded.makeup_minutes, records = h.records + excluded.records,
      shifts = h.shifts + excluded.shifts, planned_minutes = h.planned_minutes + excluded.planned_minutes,
      past_shifts = h.past_shifts + excluded.past_shifts, past_minutes = h.past_minutes + excluded.past_minutes;
  perform recount_rotations(p.id) from program p where of_program is null or p.id = of_program;
end $$;

create or replace function student_rotations(of_program bigint, of_students bigint[], moment timestamptz)
  returns table (student_id bigint, rotation_id bigint, approved_minutes integer, projected_minutes integer)
  language sql stable as $$
  select p.student_id, p.rotation_id, sum(p.approved)::integer,
    (sum(p.approved) + greatest(0, sum(p.pending) - sum(p.makeup)) + sum(p.makeup) + sum(p.ahead)
      - case when sum(p.away) > 0 and sum(p.past) > 0
        then round(sum(p.ahead) * least(sum(p.away), sum(p.past))::numeric / sum(p.past)) else 0 end)::integer
  from (
    select h.student_id, h.rotation_id, h.approved_minutes as approved, h.pending_minutes as pending,
      h.planned_minutes - h.past_minutes as ahead, h.past_shifts as past, 0 as away, 0 as makeup, h.records + h.shifts as rows
    from student_hours h where h.program_id = of_program and h.student_id = any (of_students) and h.rotation_id <> 0
    union all
    -- Shifts since the moment of the sums that are over, or have been recorded, are no longer ahead.
    select a.student_id, a.rotation_id, 0, 0, a.meal_minutes - shift_minutes(a.starts_at, a.ends_at), (a.ends_at <= moment)::integer, 0, 0, 0
    from shift_assignment a
    where a.program_id = of_program and a.student_id = any (of_students) and a.removed_at is null
      -- The day of a shift is that of its begin where its site is, which is at most 14 hours from that here.
      and a.date >= (select (coalesce((select u.until from plan_until u where u.program_id = of_program), '-infinity') - interval '38 hours')::date)
      and a.date <= (select (moment + interval '14 hours')::date)
      and a.ends_at > (select coalesce((select u.until from plan_until u where u.program_id = of_program), '-infinity'))
      and a.starts_at <= moment
      and (a.ends_at <= moment or 0 < (select count(*) from time_record r where r.program_id = a.program_id and r.assignment_id = a.id
        and r.kind in ('out', 'absence', 'exception') and r.deleted_at is null and r.status <> 'rejected'))
    union all
    select r.student_id, r.rotation_id, 0, 0, 0, 0, 1, 0, 0 from time_record r
    where r.program_id = of_program and r.student_id = any (of_students) and r.rotation_id is not null and r.kind = 'absence'
      and r.deleted_at is null and r.status <> 'rejected' and r.occurred_at <= moment
    union all
    select r.student_id, r.rotation_id, 0, 0, 0, 0, 0, r.minutes, 0 from time_record r
    where r.program_id = of_program and r.student_id = any (of_students) and r.rotation_id is not null and r.kind = 'makeup'
      and r.status = 'pending' and r.deleted_at is null and r.occurred_at > moment) p
  where p.student_id in (select u.id from account u where u.program_id = of_program and u.counts_through is not null
    and u.deleted_at is null)
  group by p.student_id, p.rotation_id having sum(p.rows) <> 0
$$;

-- Whose hours come to something else because time has passed since: a shift has begun or ended, the moment of an absence or of a
-- makeup has come.
create or replace function rotation_passed(of_program bigint, moment timestamptz) returns setof bigint language sql stable as $$
  select a.student_id from shift_assignment a
  where a.program_id = of_program and a.removed_at is null
    and a.date >= (select (coalesce((select k.kept_at from rotation_kept k where k.program_id = of_program), '-infinity') - interval '38 hours')::date)
    and a.date <= (select (moment + interval '14 hours')::date)
    and a.ends_at > (select coalesce((select k.kept_at from rotation_kept k where k.program_id = of_program), '-infinity'))
    and (a.ends_at <= moment or a.starts_at <= moment
      and a.starts_at > (select coalesce((select k.kept_at from rotation_kept k where k.program_id = of_program), '-infinity')))
  union
  select r.student_id from time_record r
  where r.program_id = of_program and r.kind in ('absence', 'makeup') and r.deleted_at is null
    and r.occurred_at > (select coalesce((select k.kept_at from rotation_kept k where k.program_id = of_program), '-infinity'))
    and r.occurred_at <= moment
$$;

-- Shifts with what their records say.
create or replace function shifts_with_records(of_program bigint, of_shifts bigint[]) returns setof shift_kept language sql stable as $$
  select a.program_id, a.id, a.date, a.student_id, a.site_shift_id, a.starts_at, a.ends_at, r.is_open, r.is_over, r.is_recorded
  from shift_assignment a
  cross join lateral (
    select bool_or(r.partner_id is null) filter (where r.kind = 'in') as is_open,
      coalesce(bool_or(r.kind in ('out', 'absence', 'exception') and r.status <> 'rejected'), false) as is_over,
      coalesce(bool_or(r.status <> 'rejected' and r.student_id = a.student_id
        and r.occurred_at between a.starts_at - interval '1 day' and a.ends_at + interval '12 hours'), false) as is_recorded
    from time_record r where r.program_id = a.program_id and r.assignment_id = a.id and r.deleted_at is null) r
  where a.program_id = of_program and a.id = any (of_shifts) and a.removed_at is null
$$;

-- Whose hours may come to something else since they were kept: whoever's shift, record or access has changed; all where nothing is kept.
create or replace function changed_students(of_program bigint) returns setof bigint language sql stable as $$
  with seen as (select s.seen from event_seen s where s.program_id = of_program and s.reader = 'rotations'),
  recent as materialized (
    select e.kind, e.record_id, e.before, e.after from seen s cross join lateral events_since(of_program, s.seen) e
    where e.kind in ('assignment', 'person')
      or e.kind = 'time-record' and (e.before ->> 'Kind' <> 'in' or e.after ->> 'Kind' <> 'in'))
  select r.record_id from recent r where r.kind = 'person'
  union select x.id from recent r cross join lateral (values ((r.before ->> 'StudentId')::bigint), ((r.after ->> 'StudentId')::bigint)) x (id)
    where r.kind <> 'person' and x.id is not null
  union select a.student_id from recent r
    cross join lateral (values ((r.before ->> 'AssignmentId')::bigint), ((r.after ->> 'AssignmentId')::bigint)) x (id)
    join shift_assignment a on a.program_id = of_program and a.id = x.id where r.kind = 'time-record'
  union select h.student_id from student_hours h where h.program_id = of_program and not exists (select from seen)
$$;

-- The shifts around today of which that is so.
create or replace function changed_shifts(of_program bigint) returns setof bigint language sql stable as $$
  with recent as materialized (
    select e.kind, e.record_id, e.before, e.after from event_seen s cross join lateral events_since(of_program, s.seen) e
    where s.program_id = of_program and s.reader = 'rotations' and (e.kind = 'assignment' or e.kind = 'time-record'
      -- Approving says nothing new about a shift.
      and (e.before ->> 'StudentId', e.before ->> 'Kind', e.before ->> 'IsMatched', e.before ->> 'Status' = 'rejected', e.before ->> 'IsDeleted',
          e.before ->> 'OccurredAt', e.before ->> 'AssignmentId')
        is distinct from (e.after ->> 'StudentId', e.after ->> 'Kind', e.after ->> 'IsMatched', e.after ->> 'Status' = 'rejected',
          e.after ->> 'IsDeleted', e.after ->> 'OccurredAt', e.after ->> 'AssignmentId')))
  select r.record_id from recent r
    where r.kind = 'assignment' and ((r.before ->> 'Date')::date between current_date - 4 and current_date + 4
      or (r.after ->> 'Date')::date between current_date - 4 and current_date + 4)
  union select a.id from recent r
    cross join lateral (values ((r.before ->> 'AssignmentId')::bigint), ((r.after ->> 'AssignmentId')::bigint)) x (id)
    join shift_assignment a on a.program_id = of_program and a.id = x.id and a.date between current_date - 4 and current_date + 4
    where r.kind = 'time-record'
$$;

-- The days that have changed since they were kept. Shifts of deleted people are missed by nobody.
create or replace function changed_days(of_program bigint) returns setof date language sql stable as $$
  with recent as materialized (
    select e.kind, e.record_id, e.before, e.after from event_seen s cross join lateral events_since(of_program, s.seen) e
    where s.program_id = of_program and s.reader = 'attendance' and (e.kind in ('assignment', 'time-record')
      or e.kind = 'person' and e.before ->> 'IsDeleted' <> e.after ->> 'IsDeleted'))
  select x.date from recent r cross join lateral (values ((r.before ->> 'Date')::date), ((r.after ->> 'Date')::date)) x (date)
    where r.kind <> 'person' and x.date is not null
  union select a.date from recent r
    cross join lateral (values ((r.before ->> 'AssignmentId')::bigint), ((r.after ->> 'AssignmentId')::bigint)) x (id)
    join shift_assignment a on a.program_id = of_program and a.id = x.id where r.kind = 'time-record'
  union select a.date from recent r join shift_assignment a on a.program_id = of_program and a.student_id = r.record_id where r.kind = 'person'
$$;

-- Counts anew whom something has happened to, and the rotations that this changes. A change that is committed meanwhile
-- counts with the next time. Whoever comes while another does it has nothing to do.
create or replace function keep_rotations(of_program bigint, moment timestamptz default now()) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  students bigint[];
  rotations bigint[];
  shifts bigint[];
  was rotation_kept;
  today date;
  new_days date[];
  now_seen pg_snapshot := pg_current_snapshot();
begin
  if not pg_try_advisory_xact_lock(hashtextextended('rotations:' || of_program, 0)) then return; end if;
  select array_agg(s.id) into students
  from (select * from changed_students(of_program) union select * from rotation_passed(of_program, moment)) s (id);
  with counted as materialized (select * from student_rotations(of_program, students, moment)),
  gone as (
    delete from rotation_student s where s.program_id = of_program and s.student_id = any (students)
      and not exists (select from counted c where c.student_id = s.student_id and c.rotation_id = s.rotation_id)
    returning s.rotation_id),
  kept as (
    insert into rotation_student as s (program_id, student_id, rotation_id, approved_minutes, projected_minutes)
      select of_program, c.student_id, c.rotation_id, c.approved_minutes, c.projected_minutes from counted c
    on conflict (program_id, student_id, rotation_id) do update
      set approved_minutes = excluded.approved_minutes, projected_minutes = excluded.projected_minutes
      where (s.approved_minutes, s.projected_minutes) <> (excluded.approved_minutes, excluded.projected_minutes)
    returning s.rotation_id)
  select array_agg(r.rotation_id) into rotations
  from (select rotation_id from gone union select rotation_id from kept
    union select t.rotation_id from rotation_total t join rotation r on r.program_id = t.program_id and r.id = t.rotation_id
      and r.target_minutes <> t.target_minutes where t.program_id = of_program) r;
  insert into rotation_total as t (program_id, rotation_id, target_minutes, students, approved_minutes, finishing)
    select of_program, r.id, r.target_minutes, count(s.student_id), coalesce(sum(s.approved_minutes), 0),
      count(*) filter (where s.projected_minutes >= r.target_minutes)
    from rotation r left join rotation_student s on s.program_id = r.program_id and s.rotation_id = r.id
    where r.program_id = of_program and r.id = any (rotations) group by r.id, r.target_minutes
  on conflict (program_id, rotation_id) do update set target_minutes = excluded.target_minutes, students = excluded.students,
    approved_minutes = excluded.approved_minutes, finishing = excluded.finishing;
  select * into was from rotation_kept k where k.program_id = of_program;
  select (moment at time zone p.time_zone)::date into today from program p where p.id = of_program;
  select array_agg(d::date) into new_days from generate_series((today - 3)::timestamp, (today + 2)::timestamp, interval '1 day') d
    where (d::date between was.from_date and was.through_date) is not true
      or not exists (select from event_seen s where s.program_id = of_program and s.reader = 'rotations');
  select array_agg(s.id) into shifts
  from (select * from changed_shifts(of_program)
    union
    select a.id from shift_assignment a
    where a.program_id = of_program and a.removed_at is null and a.date = any (new_days)) s (id);
  delete from shift_kept k
    where k.program_id = of_program and (k.assignment_id = any (shifts) or k.date < today - 3 or k.date > today + 2);
  insert into shift_kept select * from shifts_with_records(of_program, shifts) s where s.date between today - 3 and today + 2;
  insert into rotation_kept as k (program_id, kept_at, from_date, through_date) values (of_program, moment, today - 3, today + 2)
    on conflict (program_id) do update
    set kept_at = excluded.kept_at, from_date = excluded.from_date, through_date = excluded.through_date;
  perform see_events(of_program, 'rotations', now_seen);
end $$;

-- How many of the kept rows of a program are wrong, those left out that count anew anyway.
create or replace function wrong_rotations(of_program bigint) returns table (name text, keys bigint) language sql stable as $$
  with left_out as materialized (
    select c.student_id from changed_students(of_program) c (student_id)
    union select p.student_id from rotation_passed(of_program, now()) p (student_id)),
  everybody as materialized (
    select array_agg(s.student_id) as ids from (
      select h.student_id from student_hours h where h.program_id = of_program) s),
  counted as materialized (
    select c.student_id, c.rotation_id, c.approved_minutes, c.projected_minutes
    from everybody e cross join lateral student_rotations(of_program, e.ids, now()) c)
  select 'rotation_student', count(*) from counted c
  full join (select * from rotation_student where program_id = of_program) s on s.student_id = c.student_id and s.rotation_id = c.rotation_id
  where (s.approved_minutes, s.projected_minutes) is distinct from (c.approved_minutes, c.projected_minutes)
    and not exists (select from left_out l where l.student_id = coalesce(s.student_id, c.student_id))
  union all
  select 'rotation_total', count(*)
  from (select rotation_id, target_minutes, students, approved_minutes, finishing from rotation_total where program_id = of_program) t
  full join (select rotation_id, count(*) as students, sum(approved_minutes) as approved_minutes
    from rotation_student where program_id = of_program group by 1) s on s.rotation_id = t.rotation_id
  where (coalesce(t.students, 0), coalesce(t.approved_minutes, 0), coalesce(t.finishing, 0)) is distinct from
    (coalesce(s.students, 0), coalesce(s.approved_minutes, 0), (select count(*) from rotation_student x
      where x.program_id = of_program and x.rotation_id = t.rotation_id and x.projected_minutes >= t.target_minutes))
  union all
  select 'shift_kept', count(*)
  from (select * from shift_kept where program_id = of_program) k
  full join (
    select s.* from (select array_agg(a.id) as ids from shift_assignment a where a.program_id = of_program and a.removed_at is null
      and a.date between current_date - 1 and current_date + 1) a cross join lateral shifts_with_records(of_program, a.ids) s) s
    on s.assignment_id = k.assignment_id
  where coalesce(s.date, k.date) between current_date - 1 and current_date + 1
    and coalesce(s.date, k.date) between (select r.from_date from rotation_kept r where r.program_id = of_program)
      and (select r.through_date from rotation_kept r where r.program_id = of_program)
    and k is distinct from s
    and coalesce(s.assignment_id, k.assignment_id) not in (select * from changed_shifts(of_program))
$$;

-- Counts a program anew from its sums.
create or replace function recount_rotations(of_program bigint, moment timestamptz default now()) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('rotations:' || of_program, 0));
  delete from rotation_student where program_id = of_program;
  delete from rotation_total where program_id = of_program;
  delete from shift_kept where program_id = of_program;
  update rotation_kept set from_date = null, through_date = null where program_id = of_program;
  delete from event_seen where program_id = of_program and reader = 'rotations';
  perform keep_rotations(of_program, moment);
end $$;

-- A rule may take the meal break off again after as many hours each: shifts of 12 to 24 hours have more than one
-- (contract/time/rules-of-hours.ts).
create or replace function meal_break(rules jsonb, of_date date, length_minutes integer) returns smallint language sql immutable as $$
  select coalesce((
    select case when length_minutes <= b.after then 0
      else least(b.minutes * case when b.repeats and b.after > 0 then ceil(length_minutes / b.after) - 1 else 1 end, length_minutes) end::smallint
    from jsonb_array_elements(rules) r
    cross join lateral (select (r.value ->> 'MealAfterHours')::numeric * 60 as after, (r.value ->> 'MealMinutes')::integer as minutes,
      coalesce((r.value ->> 'MealRepeats')::boolean, false) as repeats) b
    where (r.value ->> 'From')::date <= of_date
    order by (r.value ->> 'From')::date desc limit 1), 0::smallint)
$$;

-- Gives rows to another person, all or the one with this key; whether that was possible. Minutes are named so that figures kept of them follow.
create or replace function give_rows(relation text, of_column text, of_program bigint, giver bigint, taker bigint, key jsonb) returns boolean
  language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('update %I t set %I = $3 %s where t.program_id = $1 and t.%I = $2 and ($4 is null or to_jsonb(t) @> $4)', relation, of_column,
    case relation when 'time_record' then ', minutes = minutes' else '' end, of_column)
    using of_program, giver, taker, key;
  return true;
exception when integrity_constraint_violation or raise_exception then
  return false;
end $$;
revoke execute on function give_rows(text,text,bigint,bigint,bigint,jsonb) from public;
