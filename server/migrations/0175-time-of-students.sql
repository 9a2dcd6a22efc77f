-- What the folded sums of time come to for each student in each rotation, whatever site and month: totals by student read one or
-- two rows a student in place of a dozen, and add what is not folded yet. Only the job that folds writes it, so nobody waits for it.
create table student_time (
  program_id bigint not null references program,
  student_id bigint not null,
  -- 0 outside any rotation.
  rotation_id bigint not null,
  records integer not null,
  shifts integer not null,
  approved_minutes integer not null,
  pending_minutes integer not null,
  absence_minutes integer not null,
  planned_minutes integer not null,
  primary key (program_id, student_id, rotation_id)
);
call protect_by_program('student_time');

-- Folds what changes have added into one row a key. As owner, over all programs at once; whoever comes while another does it
-- has nothing to do.
create or replace function fold_time_sums() returns void language plpgsql security definer set search_path = public as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('time sums')) then return; end if;
  with new as (
    delete from time_sum where not is_folded
    returning program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes),
  kept as (
    delete from time_sum s using (select distinct program_id, student_id, rotation_id, site_id, month, kind from new) n
    where s.is_folded and s.program_id = n.program_id and s.student_id = n.student_id and s.rotation_id = n.rotation_id
      and s.site_id = n.site_id and s.month = n.month and s.kind = n.kind
    returning s.program_id, s.student_id, s.rotation_id, s.site_id, s.month, s.kind, s.records, s.minutes, s.pending_minutes),
  by_student as (
    insert into student_time as t (program_id, student_id, rotation_id, records, shifts, approved_minutes, pending_minutes,
      absence_minutes, planned_minutes)
    select program_id, student_id, rotation_id,
      coalesce(sum(records) filter (where kind <> 'planned'), 0), coalesce(sum(records) filter (where kind = 'planned'), 0),
      coalesce(sum(minutes - pending_minutes) filter (where kind in ('out', 'exception', 'makeup')), 0),
      coalesce(sum(pending_minutes) filter (where kind in ('out', 'exception', 'makeup')), 0),
      coalesce(sum(minutes) filter (where kind = 'absence'), 0), coalesce(sum(minutes) filter (where kind = 'planned'), 0)
    from new group by 1, 2, 3
    on conflict (program_id, student_id, rotation_id) do update set records = t.records + excluded.records,
      shifts = t.shifts + excluded.shifts, approved_minutes = t.approved_minutes + excluded.approved_minutes,
      pending_minutes = t.pending_minutes + excluded.pending_minutes,
      absence_minutes = t.absence_minutes + excluded.absence_minutes,
      planned_minutes = t.planned_minutes + excluded.planned_minutes)
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

-- By how much these sums miss the folded rows that they add up, as rows to add.
create function missing_student_time(of_program bigint) returns setof student_time language sql stable as $$
  select program_id, student_id, rotation_id, sum(records)::integer, sum(shifts)::integer, sum(approved)::integer,
    sum(pending)::integer, sum(absence)::integer, sum(planned)::integer
  from (
    select t.program_id, t.student_id, t.rotation_id,
      case when t.kind = 'planned' then 0 else t.records end as records,
      case when t.kind = 'planned' then t.records else 0 end as shifts,
      case when t.kind in ('out', 'exception', 'makeup') then t.minutes - t.pending_minutes else 0 end as approved,
      case when t.kind in ('out', 'exception', 'makeup') then t.pending_minutes else 0 end as pending,
      case when t.kind = 'absence' then t.minutes else 0 end as absence,
      case when t.kind = 'planned' then t.minutes else 0 end as planned
    from time_sum t where (of_program is null or t.program_id = of_program) and t.is_folded
    union all
    select s.program_id, s.student_id, s.rotation_id, -s.records, -s.shifts, -s.approved_minutes, -s.pending_minutes,
      -s.absence_minutes, -s.planned_minutes
    from student_time s where of_program is null or s.program_id = of_program) a
  group by 1, 2, 3 having (sum(records), sum(shifts), sum(approved), sum(pending), sum(absence), sum(planned)) <> (0, 0, 0, 0, 0, 0)
$$;

-- The proof and the repair of the sums of time include these.
create or replace function wrong_time_sums(of_program bigint) returns table (name text, keys bigint)
  language sql stable security definer set search_path = public as $$
  select 'time_sum', count(*) from missing_time(of_program)
  union all select 'week_sum', count(*) from missing_weeks(of_program)
  union all select 'pending_sum', count(*) from missing_pending(of_program)
  union all select 'plan_sum', count(*) from missing_plans(of_program)
  union all select 'student_hours', count(*) from missing_hours(of_program)
  union all select 'student_time', count(*) from missing_student_time(of_program)
  union all select w.name, sum(w.keys)::bigint from program p cross join lateral wrong_rotations(p.id) w
    where of_program is null or p.id = of_program group by 1
$$;
create or replace function recount_time_sums(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
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
  insert into student_time as s select * from missing_student_time(of_program)
    on conflict (program_id, student_id, rotation_id) do update set records = s.records + excluded.records,
      shifts = s.shifts + excluded.shifts, approved_minutes = s.approved_minutes + excluded.approved_minutes,
      pending_minutes = s.pending_minutes + excluded.pending_minutes,
      absence_minutes = s.absence_minutes + excluded.absence_minutes,
      planned_minutes = s.planned_minutes + excluded.planned_minutes;
  perform recount_rotations(p.id) from program p where of_program is null or p.id = of_program;
end $$;

-- What there is already.
insert into student_time select * from missing_student_time(null);
