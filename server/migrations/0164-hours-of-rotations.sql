-- What the hours of everybody in a rotation come to, kept as of a moment: the home page reads one row, and looks only at the students
-- whom something has happened to since. Whether a projection reaches the target is no sum, so it cannot be added up like the others.

-- The hours of a student in a rotation and what they will come to, as of `rotation_kept`. Students without access have no row.
create table rotation_student (
  program_id bigint not null references program,
  student_id bigint not null,
  rotation_id bigint not null,
  approved_minutes integer not null,
  projected_minutes integer not null,
  primary key (program_id, student_id, rotation_id)
);
create index rotation_student_rotation on rotation_student (program_id, rotation_id) include (approved_minutes, projected_minutes);
call protect_by_program('rotation_student');

-- What these rows come to. Only the job below writes it, so nobody waits for it.
create table rotation_total (
  program_id bigint not null references program,
  rotation_id bigint not null,
  -- The target that `finishing` was counted with.
  target_minutes integer not null,
  students integer not null,
  approved_minutes bigint not null,
  -- Students whose projection reaches the target.
  finishing integer not null,
  primary key (program_id, rotation_id)
);
call protect_by_program('rotation_total');

create table rotation_kept (
  program_id bigint primary key references program,
  kept_at timestamptz not null,
  -- The days whose shifts are kept; none until the job has been here.
  from_date date,
  through_date date
);
call protect_by_program('rotation_kept');

-- Students whose hours a change since then may have made others. Rows are only added, so that writers never wait for each other.
create table rotation_change (
  program_id bigint not null references program,
  student_id bigint not null
);
create index rotation_change_program on rotation_change (program_id, student_id);
call protect_by_program('rotation_change');

-- The shifts around today with what their records say, kept as the hours of rotations are: home reads the rows of its day, and
-- looks for the records of those shifts alone that something has happened to since the moment of `rotation_kept`.
create table shift_kept (
  program_id bigint not null references program,
  assignment_id bigint not null,
  date date not null,
  student_id bigint not null,
  site_shift_id bigint not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Somebody is clocked in and has not left; null without a clock-in.
  is_open boolean,
  -- It was left or excused.
  is_over boolean not null,
  -- One of its records speaks for it, so that it is not missed.
  is_recorded boolean not null,
  primary key (program_id, assignment_id)
);
create index shift_kept_date on shift_kept (program_id, date);
call protect_by_program('shift_kept');

-- Shifts of these days that a change since may have made others. Rows are only added.
create table shift_kept_change (
  program_id bigint not null references program,
  assignment_id bigint not null
);
create index shift_kept_change_program on shift_kept_change (program_id, assignment_id);
call protect_by_program('shift_kept_change');

-- The hours of students in their rotations and what they will come to, as of a moment: approved and waiting, with the planned shifts that are
-- still ahead, less the part of them that absences of the past suggest. It is the rule of contract/time/hours-summary.ts.
create function student_rotations(of_program bigint, of_students bigint[], moment timestamptz)
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
    select a.student_id, a.rotation_id, 0, 0, -shift_minutes(a.starts_at, a.ends_at), (a.ends_at <= moment)::integer, 0, 0, 0
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
  where p.student_id in (select u.id from account u where u.program_id = of_program and u.access_level = 39 and u.deleted_at is null
    and u.deactivated_at is null)
  group by p.student_id, p.rotation_id having sum(p.rows) <> 0
$$;

-- Whose hours come to something else because time has passed since: a shift has begun or ended, the moment of an absence or of a
-- makeup has come.
create function rotation_passed(of_program bigint, moment timestamptz) returns setof bigint language sql stable as $$
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
create function shifts_with_records(of_program bigint, of_shifts bigint[]) returns setof shift_kept language sql stable as $$
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

-- Counts anew whom something has happened to, and the rotations that this changes. A change that is committed meanwhile leaves its
-- mark, and counts with the next time. Whoever comes while another does it has nothing to do.
create function keep_rotations(of_program bigint, moment timestamptz default now()) returns void language plpgsql security definer set search_path = public as $$
declare
  students bigint[];
  rotations bigint[];
  shifts bigint[];
  was rotation_kept;
  today date;
  new_days date[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('rotations:' || of_program, 0)) then return; end if;
  with marked as (delete from rotation_change c where c.program_id = of_program returning c.student_id)
  select array_agg(distinct s.student_id) into students
  from (select m.student_id from marked m union all select * from rotation_passed(of_program, moment)) s;
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
    where (d::date between was.from_date and was.through_date) is not true;
  with marked as (delete from shift_kept_change c where c.program_id = of_program returning c.assignment_id)
  select array_agg(distinct s.assignment_id) into shifts
  from (select m.assignment_id from marked m
    union all
    select a.id from shift_assignment a
    where a.program_id = of_program and a.removed_at is null and a.date = any (new_days)) s;
  delete from shift_kept k
    where k.program_id = of_program and (k.assignment_id = any (shifts) or k.date < today - 3 or k.date > today + 2);
  insert into shift_kept select * from shifts_with_records(of_program, shifts) s where s.date between today - 3 and today + 2;
  insert into rotation_kept as k (program_id, kept_at, from_date, through_date) values (of_program, moment, today - 3, today + 2)
    on conflict (program_id) do update
    set kept_at = excluded.kept_at, from_date = excluded.from_date, through_date = excluded.through_date;
end $$;

-- How many of the kept rows of a program are wrong, those left out that count anew anyway.
create function wrong_rotations(of_program bigint) returns table (name text, keys bigint) language sql stable as $$
  with left_out as materialized (
    select c.student_id from rotation_change c where c.program_id = of_program
    union select p.student_id from rotation_passed(of_program, now()) p (student_id)),
  everybody as materialized (
    select array_agg(s.student_id) as ids from (
      select h.student_id from student_hours h where h.program_id = of_program
      union select p.student_id from plan_sum p where p.program_id = of_program) s),
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
    and not exists (select from shift_kept_change c where c.program_id = of_program and c.assignment_id = coalesce(s.assignment_id, k.assignment_id))
$$;

-- Counts a program anew from its sums.
create function recount_rotations(of_program bigint, moment timestamptz default now()) returns void language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('rotations:' || of_program, 0));
  delete from rotation_student where program_id = of_program;
  delete from rotation_total where program_id = of_program;
  delete from shift_kept where program_id = of_program;
  update rotation_kept set from_date = null, through_date = null where program_id = of_program;
  insert into rotation_change (program_id, student_id)
    select h.program_id, h.student_id from student_hours h where h.program_id = of_program
    union select p.program_id, p.student_id from plan_sum p where p.program_id = of_program;
  perform keep_rotations(of_program, moment);
end $$;

-- Marks whom a change of records concerns: students of what was worked or missed, and those whose shift it was. Clock-ins count
-- nowhere there. Of shifts, those of the days that can be kept are marked, and a day more for every time zone.
create function mark_records() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into rotation_change (program_id, student_id)
    select t.program_id, t.student_id from touched t where t.kind <> 'in'
    union select a.program_id, a.student_id from touched t
      join shift_assignment a on a.program_id = t.program_id and a.id = t.assignment_id where t.kind <> 'in';
  insert into shift_kept_change (program_id, assignment_id)
    select a.program_id, a.id from touched t join shift_assignment a on a.program_id = t.program_id and a.id = t.assignment_id
    where a.date between current_date - 4 and current_date + 4;
  return null;
end $$;
create trigger mark_rotations_new after insert on time_record
  referencing new table as touched for each statement execute function mark_records();
create trigger mark_rotations_gone after delete on time_record
  referencing old table as touched for each statement execute function mark_records();

-- What is approved says nothing new about its shift.
create function mark_changed_records() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select from changed where kind <> 'in') or exists (select from was where kind <> 'in') then
    insert into rotation_change (program_id, student_id)
      with other as (
        select x.* from was w join changed c on c.program_id = w.program_id and c.id = w.id
        cross join lateral (values (w.program_id, w.student_id, w.assignment_id), (c.program_id, c.student_id, c.assignment_id))
          x (program_id, student_id, assignment_id)
        where (w.student_id, w.rotation_id, w.kind, w.minutes, w.status, w.is_matched, w.deleted_at, w.occurred_at, w.assignment_id)
          is distinct from
          (c.student_id, c.rotation_id, c.kind, c.minutes, c.status, c.is_matched, c.deleted_at, c.occurred_at, c.assignment_id))
      select o.program_id, o.student_id from other o
      union select a.program_id, a.student_id from other o
        join shift_assignment a on a.program_id = o.program_id and a.id = o.assignment_id;
  end if;
  insert into shift_kept_change (program_id, assignment_id)
    select a.program_id, a.id from was w join changed c on c.program_id = w.program_id and c.id = w.id
    join shift_assignment a on a.program_id = w.program_id and a.id in (w.assignment_id, c.assignment_id)
    where a.date between current_date - 4 and current_date + 4
      and (w.student_id, w.kind, w.partner_id, w.status = 'rejected', w.deleted_at, w.occurred_at, w.assignment_id)
        is distinct from (c.student_id, c.kind, c.partner_id, c.status = 'rejected', c.deleted_at, c.occurred_at, c.assignment_id)
    group by 1, 2;
  return null;
end $$;
create trigger mark_rotations_changed after update on time_record
  referencing old table as was new table as changed for each statement execute function mark_changed_records();

-- As above, for shifts.
create function mark_shifts() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into rotation_change (program_id, student_id) select distinct program_id, student_id from touched;
  insert into shift_kept_change (program_id, assignment_id)
    select program_id, id from touched where date between current_date - 4 and current_date + 4;
  return null;
end $$;
create trigger mark_rotations_new after insert on shift_assignment
  referencing new table as touched for each statement execute function mark_shifts();
create trigger mark_rotations_gone after delete on shift_assignment
  referencing old table as touched for each statement execute function mark_shifts();
create function mark_changed_shifts() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into rotation_change (program_id, student_id)
    select x.program_id, x.student_id from was w join changed c on c.program_id = w.program_id and c.id = w.id
    cross join lateral (values (w.program_id, w.student_id), (c.program_id, c.student_id)) x (program_id, student_id)
    where (w.student_id, w.rotation_id, w.starts_at, w.ends_at, w.removed_at)
      is distinct from (c.student_id, c.rotation_id, c.starts_at, c.ends_at, c.removed_at)
    group by 1, 2;
  insert into shift_kept_change (program_id, assignment_id)
    select c.program_id, c.id from was w join changed c on c.program_id = w.program_id and c.id = w.id
    where (w.date between current_date - 4 and current_date + 4 or c.date between current_date - 4 and current_date + 4)
      and (w.student_id, w.site_shift_id, w.date, w.starts_at, w.ends_at, w.removed_at)
        is distinct from (c.student_id, c.site_shift_id, c.date, c.starts_at, c.ends_at, c.removed_at);
  return null;
end $$;
create trigger mark_rotations_changed after update on shift_assignment
  referencing old table as was new table as changed for each statement execute function mark_changed_shifts();

-- Students who get access, or lose it.
create function mark_rotations_of_account() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into rotation_change (program_id, student_id)
    select p.program_id, new.id from (values (old.program_id), (new.program_id)) p (program_id)
    where p.program_id is not null group by 1;
  return null;
end $$;
create trigger mark_rotations after update of program_id, access_level, deleted_at, deactivated_at on account for each row
  when ((old.program_id, old.access_level, old.deleted_at is null, old.deactivated_at is null)
    is distinct from (new.program_id, new.access_level, new.deleted_at is null, new.deactivated_at is null))
  execute function mark_rotations_of_account();

-- The proof and the repair of the sums of time include these.
create or replace function wrong_time_sums(of_program bigint) returns table (name text, keys bigint)
  language sql stable security definer set search_path = public as $$
  select 'time_sum', count(*) from missing_time(of_program)
  union all select 'week_sum', count(*) from missing_weeks(of_program)
  union all select 'pending_sum', count(*) from missing_pending(of_program)
  union all select 'plan_sum', count(*) from missing_plans(of_program)
  union all select 'student_hours', count(*) from missing_hours(of_program)
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
  perform recount_rotations(p.id) from program p where of_program is null or p.id = of_program;
end $$;

-- What there is already.
select recount_rotations(id) from program;
