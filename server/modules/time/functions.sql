call read_across('attendance_day', 'program_id, date, approved_minutes, pending_minutes');
call read_across('time_record', 'program_id, kind, date, occurred_at, minutes, status, is_matched, reasons, deleted_at');
call read_across('student_hours', 'program_id, student_id, approved_minutes');

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
        insert into time_sum as s (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
        values (one.program_id, one.student_id, coalesce(one.rotation_id, 0), coalesce(one.site_id, 0), date_trunc('month', one.date)::date, one.kind,
          one.records, changed_minutes, case when one.status = 'pending' then changed_minutes else 0 end)
        on conflict (program_id, student_id, rotation_id, site_id, month, kind) do update set records = s.records + excluded.records,
          minutes = s.minutes + excluded.minutes, pending_minutes = s.pending_minutes + excluded.pending_minutes;
      end if;
    end loop;
    return;
  end if;
  with counted as materialized (
    select c.program_id, c.student_id, coalesce(c.rotation_id, 0) as rotation_id, coalesce(c.site_id, 0) as site_id, c.date, c.kind,
      c.records, c.records * c.minutes as minutes, case when c.status = 'pending' then c.records * c.minutes else 0 end as pending_minutes
    from unnest(changes) c where c.kind <> 'in' and c.is_matched),
  by_month as (
    insert into time_sum as s (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      select program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, kind, sum(records), sum(minutes),
        sum(pending_minutes)
      from counted group by 1, 2, 3, 4, 5, 6
      having (sum(records), sum(minutes), sum(pending_minutes)) <> (0, 0, 0) order by 1, 2, 3, 4, 5, 6
    on conflict (program_id, student_id, rotation_id, site_id, month, kind) do update set records = s.records + excluded.records,
      minutes = s.minutes + excluded.minutes, pending_minutes = s.pending_minutes + excluded.pending_minutes)
  insert into student_hours as h (program_id, student_id, rotation_id, records, approved_minutes, pending_minutes, absence_minutes,
    makeup_minutes)
    select program_id, student_id, rotation_id, sum(records),
      coalesce(sum(minutes - pending_minutes) filter (where kind <> 'absence'), 0),
      coalesce(sum(pending_minutes) filter (where kind <> 'absence'), 0),
      coalesce(sum(minutes) filter (where kind = 'absence'), 0), coalesce(sum(minutes) filter (where kind = 'makeup'), 0)
    from counted group by 1, 2, 3 order by 1, 2, 3
  on conflict (program_id, student_id, rotation_id) do update set records = h.records + excluded.records,
    approved_minutes = h.approved_minutes + excluded.approved_minutes, pending_minutes = h.pending_minutes + excluded.pending_minutes,
    absence_minutes = h.absence_minutes + excluded.absence_minutes, makeup_minutes = h.makeup_minutes + excluded.makeup_minutes;
end $$;

-- A decision that is undone or replaced stays on record, whoever does it and by which way.
create or replace function keep_decision() returns trigger language plpgsql as $$
begin
  new.decisions := old.decisions || jsonb_build_object('At', old.decided_at, 'By', old.decided_by, 'Status', old.status,
    -- As isTakenBack in contract/time/time-records.ts says.
    'IsTakenBack', old.status = 'rejected' and (old.reasons @> '[{"Code": "taken_back"}]'
      or old.change_is_removal and old.change_status is not distinct from 'accepted'),
    'Reason', old.decision_reason, 'UndoneAt', case when new.decided_at is null then clock_timestamp() end,
    'UndoneBy', case when new.decided_at is null then current_account() end);
  return new;
end $$;

create or replace function keep_records() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes record_change[];
begin
  if tg_op = 'INSERT' then
    select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.kind, c.minutes, c.status, c.is_matched,
      1)::record_change) into changes
    from changed c where c.deleted_at is null and c.status <> 'rejected';
  else
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
  end if;
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
    insert into time_sum as s (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      select program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, 'planned', sum(shifts), sum(minutes), 0
      from changed group by 1, 2, 3, 4, 5 having (sum(shifts), sum(minutes)) <> (0, 0) order by 1, 2, 3, 4, 5
    on conflict (program_id, student_id, rotation_id, site_id, month, kind) do update set records = s.records + excluded.records,
      minutes = s.minutes + excluded.minutes)
  insert into student_hours as h (program_id, student_id, rotation_id, shifts, planned_minutes, past_shifts, past_minutes)
    select program_id, student_id, rotation_id, sum(shifts), sum(minutes), sum(past * shifts), sum(past * minutes)
    from changed group by 1, 2, 3
    having (sum(shifts), sum(minutes), sum(past * shifts), sum(past * minutes)) <> (0, 0, 0, 0) order by 1, 2, 3
  on conflict (program_id, student_id, rotation_id) do update set shifts = h.shifts + excluded.shifts,
    planned_minutes = h.planned_minutes + excluded.planned_minutes, past_shifts = h.past_shifts + excluded.past_shifts,
    past_minutes = h.past_minutes + excluded.past_minutes;
end $$;

create or replace function keep_shifts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes shift_change[];
begin
  if tg_op = 'INSERT' then
    select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at) - c.meal_minutes,
      1)::shift_change) into changes
    from changed c where c.removed_at is null;
  else
    select array_agg(c::shift_change) into changes from (
      select program_id, student_id, rotation_id, site_id, date, ends_at, shift_minutes(starts_at, ends_at) - meal_minutes, sum(sign)
      from (
        select program_id, student_id, rotation_id, site_id, date, starts_at, ends_at, meal_minutes, removed_at, -1 as sign from was
        union all
        select program_id, student_id, rotation_id, site_id, date, starts_at, ends_at, meal_minutes, removed_at, 1 from changed) c
      where removed_at is null group by 1, 2, 3, 4, 5, 6, 7 having sum(sign) <> 0) c;
  end if;
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
