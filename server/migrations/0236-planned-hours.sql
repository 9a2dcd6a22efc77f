-- What of a planned shift will count is its length without the meal break, by the rule of its day: planned hours and those that are worked
-- add up alike (docs/decisions/rules-of-hours.md).
alter table shift_assignment add meal_minutes smallint not null default 0 check (meal_minutes >= 0);
create index shift_assignment_lengths on shift_assignment (program_id, student_id, date) include (starts_at, ends_at, meal_minutes)
  where removed_at is null;
drop index shift_assignment_hours;
alter index shift_assignment_lengths rename to shift_assignment_hours;

-- The meal break of a shift of a length on a day, by the rules of a program (contract/time/rules-of-hours.ts).
create function meal_break(rules jsonb, of_date date, length_minutes integer) returns smallint language sql immutable as $$
  select coalesce((
    select case when length_minutes > (r.value ->> 'MealAfterHours')::numeric * 60
      then least((r.value ->> 'MealMinutes')::integer, length_minutes) else 0 end::smallint
    from jsonb_array_elements(rules) r where (r.value ->> 'From')::date <= of_date
    order by (r.value ->> 'From')::date desc limit 1), 0::smallint)
$$;

create or replace function keep_new_shifts() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at) - c.meal_minutes,
    1)::shift_change) into changes
  from changed c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;

create or replace function keep_gone_shifts() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at) - c.meal_minutes,
    -1)::shift_change) into changes
  from was c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  return null;
end $$;

create or replace function keep_changed_shifts() returns trigger language plpgsql security definer set search_path = public as $$
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

create or replace function move_plan_until(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
declare
  was timestamptz;
  next timestamptz := date_trunc('hour', now());
begin
  if not pg_try_advisory_xact_lock(hashtextextended('plan:' || of_program, 0)) then return; end if;
  select coalesce(max(p.until), '-infinity') into was from plan_until p where p.program_id = of_program;
  if was >= next then return; end if;
  insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes)
    select of_program, a.student_id, a.rotation_id, 0, 0, count(*), sum(shift_minutes(a.starts_at, a.ends_at) - a.meal_minutes)
    from shift_assignment a
    where a.program_id = of_program and a.removed_at is null and a.ends_at > was and a.ends_at <= next
      -- Its day, wherever the site is, finds a shift by the index.
      and a.date >= (was - interval '2 days')::date and a.date <= (next + interval '1 day')::date
    group by 2, 3;
  insert into plan_until as p (program_id, until) values (of_program, next)
    on conflict (program_id) do update set until = excluded.until;
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

create or replace function missing_plans(of_program bigint) returns setof plan_sum language sql stable as $$
  select program_id, student_id, rotation_id, sum(shifts)::integer, sum(minutes)::integer, sum(past_shifts)::integer,
    sum(past_minutes)::integer, false
  from (
    select s.program_id, s.student_id, s.rotation_id, 1 as shifts, shift_minutes(s.starts_at, s.ends_at) - s.meal_minutes as minutes,
      case when s.ends_at <= p.until then 1 else 0 end as past_shifts,
      case when s.ends_at <= p.until then shift_minutes(s.starts_at, s.ends_at) - s.meal_minutes else 0 end as past_minutes
    from shift_assignment s left join plan_until p on p.program_id = s.program_id
    where (of_program is null or s.program_id = of_program) and s.removed_at is null
    union all
    select program_id, student_id, rotation_id, -shifts, -minutes, -past_shifts, -past_minutes from plan_sum
    where of_program is null or program_id = of_program) a
  group by 1, 2, 3 having (sum(shifts), sum(minutes), sum(past_shifts), sum(past_minutes)) <> (0, 0, 0, 0)
$$;

create or replace function student_rotations(of_program bigint, of_students bigint[], moment timestamptz)
  returns table (student_id bigint, rotation_id bigint, approved_minutes integer, projected_minutes integer)
  language sql stable as $$
  select p.student_id, p.rotation_id, sum(p.approved)::integer,
    (sum(p.approved) + greatest(0, sum(p.pending) - sum(p.makeup)) + sum(p.makeup) + sum(p.ahead)
      - case when sum(p.away) > 0 and sum(p.past) > 0
        then round(sum(p.ahead) * least(sum(p.away), sum(p.past))::numeric / sum(p.past)) else 0 end)::integer
  from (
    select h.student_id, h.rotation_id, h.approved_minutes as approved, h.pending_minutes as pending, 0 as ahead, 0 as past, 0 as away,
      0 as makeup, 1 as rows
    from student_hours h where h.program_id = of_program and h.student_id = any (of_students) and h.rotation_id <> 0
    union all
    select p.student_id, p.rotation_id, 0, 0, p.minutes - p.past_minutes, p.past_shifts, 0, 0, p.shifts
    from plan_sum p where p.program_id = of_program and p.student_id = any (of_students)
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

create or replace function mark_changed_shifts() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into rotation_change (program_id, student_id)
    select x.program_id, x.student_id from was w join changed c on c.program_id = w.program_id and c.id = w.id
    cross join lateral (values (w.program_id, w.student_id), (c.program_id, c.student_id)) x (program_id, student_id)
    where (w.student_id, w.rotation_id, w.starts_at, w.ends_at, w.meal_minutes, w.removed_at)
      is distinct from (c.student_id, c.rotation_id, c.starts_at, c.ends_at, c.meal_minutes, c.removed_at)
    group by 1, 2;
  insert into shift_kept_change (program_id, assignment_id)
    select c.program_id, c.id from was w join changed c on c.program_id = w.program_id and c.id = w.id
    where (w.date between current_date - 4 and current_date + 4 or c.date between current_date - 4 and current_date + 4)
      and (w.student_id, w.site_shift_id, w.date, w.starts_at, w.ends_at, w.removed_at)
        is distinct from (c.student_id, c.site_shift_id, c.date, c.starts_at, c.ends_at, c.removed_at);
  return null;
end $$;
