-- What time comes to, kept by the changes themselves: totals, hours summary and home pages add up a few rows a student in
-- place of every record and shift.

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

create function keep_time() returns trigger language plpgsql security definer set search_path = public as $$
begin
  with changed as materialized (
    select c.*, case when c.status = 'pending' then c.minutes else 0 end as pending
    from (values
      (-1, old.program_id, old.student_id, coalesce(old.rotation_id, 0), coalesce(old.site_id, 0), old.date, old.kind,
        old.minutes, old.status, old.is_matched, old.deleted_at),
      (1, new.program_id, new.student_id, coalesce(new.rotation_id, 0), coalesce(new.site_id, 0), new.date, new.kind,
        new.minutes, new.status, new.is_matched, new.deleted_at))
      as c (sign, program_id, student_id, rotation_id, site_id, date, kind, minutes, status, is_matched, deleted_at)
    -- What there is not before or after a change is null.
    where c.kind <> 'in' and c.is_matched and c.status <> 'rejected' and c.deleted_at is null),
  by_month as (
    insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      select program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, kind, sum(sign), sum(sign * minutes),
        sum(sign * pending)
      from changed group by 1, 2, 3, 4, 5, 6
      having (sum(sign), sum(sign * minutes), sum(sign * pending)) <> (0, 0, 0))
  insert into week_sum (program_id, monday, rotation_id, site_id, kind, minutes, pending_minutes)
    select program_id, date_trunc('week', date)::date, rotation_id, site_id, kind, sum(sign * minutes), sum(sign * pending)
    from changed where kind <> 'absence' group by 1, 2, 3, 4, 5
    having (sum(sign * minutes), sum(sign * pending)) <> (0, 0);
  return null;
end $$;
create trigger keep_time_new after insert on time_record for each row when (new.kind <> 'in') execute function keep_time();
create trigger keep_time_gone after delete on time_record for each row when (old.kind <> 'in') execute function keep_time();
create trigger keep_time_changed after update of student_id, rotation_id, site_id, date, kind, minutes, status, partner_id, deleted_at
  on time_record for each row execute function keep_time();

-- The moment up to which shifts of a program are counted as past, held as it is until the transaction ends. Many can hold it
-- at once; the job that moves it on comes again later while anybody does.
create function hold_plan_until(of_program bigint) returns timestamptz language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('plan:' || of_program, 0));
  return coalesce((select p.until from plan_until p where p.program_id = of_program), '-infinity');
end $$;

create function keep_plan() returns trigger language plpgsql security definer set search_path = public as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  one record;
begin
  for one in select distinct c.program_id from changed c where c.removed_at is null order by 1 loop
    with planned as materialized (
      select c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, extract(epoch from c.ends_at - c.starts_at)::integer / 60 as minutes
      from changed c where c.program_id = one.program_id and c.removed_at is null),
    until as materialized (select hold_plan_until(one.program_id) as moment),
    by_month as (
      insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
        select one.program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, 'planned', sign * count(*),
          sign * sum(minutes), 0
        from planned group by 2, 3, 4, 5)
    insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes)
      select one.program_id, student_id, rotation_id, sign * count(*), sign * sum(minutes),
        sign * count(*) filter (where ends_at <= until.moment),
        sign * coalesce(sum(minutes) filter (where ends_at <= until.moment), 0)
      from planned, until group by 2, 3;
  end loop;
  return null;
end $$;
create function keep_changed_plan() returns trigger language plpgsql security definer set search_path = public as $$
declare
  until timestamptz := hold_plan_until(new.program_id);
begin
  with changed as materialized (
    select c.*, extract(epoch from c.ends_at - c.starts_at)::integer / 60 as minutes, (c.ends_at <= until)::integer as past
    from (values
      (-1, old.student_id, old.rotation_id, old.site_id, old.date, old.starts_at, old.ends_at, old.removed_at),
      (1, new.student_id, new.rotation_id, new.site_id, new.date, new.starts_at, new.ends_at, new.removed_at))
      as c (sign, student_id, rotation_id, site_id, date, starts_at, ends_at, removed_at)
    where c.removed_at is null),
  by_month as (
    insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      select new.program_id, student_id, rotation_id, site_id, date_trunc('month', date)::date, 'planned', sum(sign),
        sum(sign * minutes), 0
      from changed group by 2, 3, 4, 5 having (sum(sign), sum(sign * minutes)) <> (0, 0))
  insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes)
    select new.program_id, student_id, rotation_id, sum(sign), sum(sign * minutes), sum(sign * past), sum(sign * past * minutes)
    from changed group by 2, 3
    having (sum(sign), sum(sign * minutes), sum(sign * past), sum(sign * past * minutes)) <> (0, 0, 0, 0);
  return null;
end $$;
create trigger keep_plan_new after insert on shift_assignment
  referencing new table as changed for each statement execute function keep_plan();
create trigger keep_plan_gone after delete on shift_assignment
  referencing old table as changed for each statement execute function keep_plan();
create trigger keep_plan_changed after update on shift_assignment for each row
  when ((old.student_id, old.rotation_id, old.site_id, old.date, old.starts_at, old.ends_at, old.removed_at is null)
    is distinct from (new.student_id, new.rotation_id, new.site_id, new.date, new.starts_at, new.ends_at, new.removed_at is null))
  execute function keep_changed_plan();

-- Moves the moment on to the last full hour: shifts that have ended since become past. While somebody changes shifts of the
-- program, or all sums are folded or counted anew, it stays where it is, which is right too.
create function move_plan_until(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
declare
  was timestamptz;
  next timestamptz := date_trunc('hour', now());
begin
  if not pg_try_advisory_xact_lock_shared(hashtext('time sums'))
    or not pg_try_advisory_xact_lock(hashtextextended('plan:' || of_program, 0)) then return; end if;
  select coalesce(max(p.until), '-infinity') into was from plan_until p where p.program_id = of_program;
  if was >= next then return; end if;
  insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes)
    select of_program, a.student_id, a.rotation_id, 0, 0, count(*), sum(extract(epoch from a.ends_at - a.starts_at)::integer / 60)
    from shift_assignment a
    where a.program_id = of_program and a.removed_at is null and a.ends_at > was and a.ends_at <= next
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
    having (sum(records), sum(minutes)) <> (0, 0);
  with new as (
    delete from week_sum where not is_folded returning program_id, monday, rotation_id, site_id, kind, minutes, pending_minutes),
  kept as (
    delete from week_sum s using (select distinct program_id, monday, rotation_id, site_id, kind from new) n
    where s.is_folded and s.program_id = n.program_id and s.monday = n.monday and s.rotation_id = n.rotation_id
      and s.site_id = n.site_id and s.kind = n.kind
    returning s.program_id, s.monday, s.rotation_id, s.site_id, s.kind, s.minutes, s.pending_minutes)
  insert into week_sum (program_id, monday, rotation_id, site_id, kind, minutes, pending_minutes, is_folded)
    select program_id, monday, rotation_id, site_id, kind, sum(minutes), sum(pending_minutes), true
    from (select * from new union all select * from kept) a group by 1, 2, 3, 4, 5 having sum(minutes) <> 0;
  with new as (
    delete from plan_sum where not is_folded
    returning program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes),
  kept as (
    delete from plan_sum s using (select distinct program_id, student_id, rotation_id from new) n
    where s.is_folded and s.program_id = n.program_id and s.student_id = n.student_id and s.rotation_id = n.rotation_id
    returning s.program_id, s.student_id, s.rotation_id, s.shifts, s.minutes, s.past_shifts, s.past_minutes)
  insert into plan_sum (program_id, student_id, rotation_id, shifts, minutes, past_shifts, past_minutes, is_folded)
    select program_id, student_id, rotation_id, sum(shifts), sum(minutes), sum(past_shifts), sum(past_minutes), true
    from (select * from new union all select * from kept) a group by 1, 2, 3 having sum(shifts) <> 0;
end $$;

-- What the sums have to be, from every record and shift of a program, or of all.
create function count_time(of_program bigint) returns setof time_sum language sql stable as $$
  select r.program_id, r.student_id, coalesce(r.rotation_id, 0), coalesce(r.site_id, 0), date_trunc('month', r.date)::date, r.kind,
    count(*)::integer, sum(r.minutes)::integer, (coalesce(sum(r.minutes) filter (where r.status = 'pending'), 0))::integer, true
  from time_record r
  where (of_program is null or r.program_id = of_program) and r.kind <> 'in' and r.is_matched and r.status <> 'rejected'
    and r.deleted_at is null
  group by 1, 2, 3, 4, 5, 6
  union all
  select a.program_id, a.student_id, a.rotation_id, a.site_id, date_trunc('month', a.date)::date, 'planned', count(*)::integer,
    (sum(extract(epoch from a.ends_at - a.starts_at)::integer / 60))::integer, 0, true
  from shift_assignment a
  where (of_program is null or a.program_id = of_program) and a.removed_at is null
  group by 1, 2, 3, 4, 5
$$;
create function count_weeks(of_program bigint) returns setof week_sum language sql stable as $$
  select r.program_id, date_trunc('week', r.date)::date, coalesce(r.rotation_id, 0), coalesce(r.site_id, 0), r.kind, sum(r.minutes)::integer,
    (coalesce(sum(r.minutes) filter (where r.status = 'pending'), 0))::integer, true
  from time_record r
  where (of_program is null or r.program_id = of_program) and r.kind not in ('in', 'absence') and r.is_matched
    and r.status <> 'rejected' and r.deleted_at is null
  group by 1, 2, 3, 4, 5 having sum(r.minutes) <> 0
$$;
create function count_plans(of_program bigint) returns setof plan_sum language sql stable as $$
  select a.program_id, a.student_id, a.rotation_id, count(*)::integer, sum(a.minutes)::integer, (count(*) filter (where a.is_past))::integer,
    (coalesce(sum(a.minutes) filter (where a.is_past), 0))::integer, true
  from (
    select s.program_id, s.student_id, s.rotation_id, extract(epoch from s.ends_at - s.starts_at)::integer / 60 as minutes,
      coalesce(s.ends_at <= p.until, false) as is_past
    from shift_assignment s left join plan_until p on p.program_id = s.program_id
    where (of_program is null or s.program_id = of_program) and s.removed_at is null) a
  group by 1, 2, 3
$$;
create function count_hours(of_program bigint) returns setof student_hours language sql stable as $$
  select r.program_id, r.student_id, coalesce(r.rotation_id, 0),
    (coalesce(sum(r.minutes) filter (where r.kind <> 'absence' and r.status = 'approved'), 0))::integer,
    (coalesce(sum(r.minutes) filter (where r.kind <> 'absence' and r.status = 'pending'), 0))::integer,
    (coalesce(sum(r.minutes) filter (where r.kind = 'absence'), 0))::integer,
    (coalesce(sum(r.minutes) filter (where r.kind = 'makeup'), 0))::integer
  from time_record r
  where (of_program is null or r.program_id = of_program) and r.kind <> 'in' and r.is_matched and r.status <> 'rejected'
    and r.deleted_at is null and r.minutes > 0
  group by 1, 2, 3
$$;

-- The keys of a program's sums that do not say what counting finds, by table.
create function differing_time_sums(of_program bigint) returns table (name text, differing bigint)
  language sql stable security definer set search_path = public as $$
  select 'time_sum', count(*) from (
    select from (
      select student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes, 1 as sign from time_sum where program_id = of_program
      union all
      select student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes, -1 from count_time(of_program)) a
    group by student_id, rotation_id, site_id, month, kind
    having (sum(sign * records), sum(sign * minutes), sum(sign * pending_minutes)) <> (0, 0, 0)) d
  union all
  select 'week_sum', count(*) from (
    select from (
      select monday, rotation_id, site_id, kind, minutes, pending_minutes, 1 as sign from week_sum where program_id = of_program
      union all
      select monday, rotation_id, site_id, kind, minutes, pending_minutes, -1 from count_weeks(of_program)) a
    group by monday, rotation_id, site_id, kind having (sum(sign * minutes), sum(sign * pending_minutes)) <> (0, 0)) d
  union all
  select 'plan_sum', count(*) from (
    select from (
      select student_id, rotation_id, shifts, minutes, past_shifts, past_minutes, 1 as sign from plan_sum where program_id = of_program
      union all
      select student_id, rotation_id, shifts, minutes, past_shifts, past_minutes, -1 from count_plans(of_program)) a
    group by student_id, rotation_id
    having (sum(sign * shifts), sum(sign * minutes), sum(sign * past_shifts), sum(sign * past_minutes)) <> (0, 0, 0, 0)) d
  union all
  select 'student_hours', count(*) from (
    select from (
      select student_id, rotation_id, approved_minutes, pending_minutes, absence_minutes, makeup_minutes, 1 as sign
      from student_hours where program_id = of_program
      union all
      select student_id, rotation_id, approved_minutes, pending_minutes, absence_minutes, makeup_minutes, -1
      from count_hours(of_program)) a
    group by student_id, rotation_id
    having (sum(sign * approved_minutes), sum(sign * pending_minutes), sum(sign * absence_minutes), sum(sign * makeup_minutes))
      <> (0, 0, 0, 0)) d
$$;

-- Keeps the sums of a program, or of all, anew. Writers wait until it is done, so that nothing is counted twice or not at all.
create function recount_time_sums(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
begin
  lock table time_record, shift_assignment in share row exclusive mode;
  -- Neither does anybody fold or move on what is past meanwhile.
  perform pg_advisory_xact_lock(hashtext('time sums'));
  delete from time_sum where of_program is null or program_id = of_program;
  insert into time_sum select * from count_time(of_program);
  delete from week_sum where of_program is null or program_id = of_program;
  insert into week_sum select * from count_weeks(of_program);
  insert into plan_until (program_id, until)
    select p.id, date_trunc('hour', now()) from program p where of_program is null or p.id = of_program
    on conflict (program_id) do update set until = excluded.until;
  delete from plan_sum where of_program is null or program_id = of_program;
  insert into plan_sum select * from count_plans(of_program);
  delete from student_hours where of_program is null or program_id = of_program;
  insert into student_hours select * from count_hours(of_program);
end $$;

-- What there is already.
select recount_time_sums(null) where exists (select from time_record) or exists (select from shift_assignment);
