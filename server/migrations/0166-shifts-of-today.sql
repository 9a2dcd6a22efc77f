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

-- The days whose shifts are kept; none until the job has been here.
alter table rotation_kept add column from_date date, add column through_date date;

-- Shifts of these days that a change since may have made others. Rows are only added.
create table shift_kept_change (
  program_id bigint not null references program,
  assignment_id bigint not null
);
create index shift_kept_change_program on shift_kept_change (program_id, assignment_id);
call protect_by_program('shift_kept_change');

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

create or replace function keep_rotations(of_program bigint, moment timestamptz default now()) returns void language plpgsql security definer set search_path = public as $$
declare
  students bigint[];
  rotations bigint[];
  shifts bigint[];
  was rotation_kept;
  today date;
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
  with marked as (delete from shift_kept_change c where c.program_id = of_program returning c.assignment_id)
  select array_agg(distinct s.assignment_id) into shifts
  from (select m.assignment_id from marked m
    union all
    select a.id from shift_assignment a
    where a.program_id = of_program and a.removed_at is null and a.date between today - 3 and today + 2
      and (a.date between was.from_date and was.through_date) is not true) s;
  delete from shift_kept k
    where k.program_id = of_program and (k.assignment_id = any (shifts) or k.date < today - 3 or k.date > today + 2);
  insert into shift_kept select * from shifts_with_records(of_program, shifts) s where s.date between today - 3 and today + 2;
  insert into rotation_kept as k (program_id, kept_at, from_date, through_date) values (of_program, moment, today - 3, today + 2)
    on conflict (program_id) do update
    set kept_at = excluded.kept_at, from_date = excluded.from_date, through_date = excluded.through_date;
end $$;

create or replace function recount_rotations(of_program bigint, moment timestamptz default now()) returns void language plpgsql security definer set search_path = public as $$
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

create or replace function wrong_rotations(of_program bigint) returns table (name text, keys bigint) language sql stable as $$
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

-- Marks the shifts that a change concerns: of the days that can be kept, and a day more for every time zone. What is approved says
-- nothing new about its shift.
create or replace function keep_new_records() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes record_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.kind, c.minutes, c.status, c.is_matched,
    c.insight, 1)::record_change) into changes
  from changed c where c.deleted_at is null and c.status <> 'rejected';
  if changes is not null then perform keep_record_changes(changes); end if;
  insert into rotation_change (program_id, student_id)
    select c.program_id, c.student_id from changed c where c.kind <> 'in'
    union select a.program_id, a.student_id from changed c
      join shift_assignment a on a.program_id = c.program_id and a.id = c.assignment_id where c.kind <> 'in';
  insert into shift_kept_change (program_id, assignment_id)
    select a.program_id, a.id from changed c join shift_assignment a on a.program_id = c.program_id and a.id = c.assignment_id
    where a.date between current_date - 4 and current_date + 4;
  return null;
end $$;
create or replace function keep_gone_records() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes record_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.kind, c.minutes, c.status, c.is_matched,
    c.insight, -1)::record_change) into changes
  from was c where c.deleted_at is null and c.status <> 'rejected';
  if changes is not null then perform keep_record_changes(changes); end if;
  insert into rotation_change (program_id, student_id)
    select c.program_id, c.student_id from was c where c.kind <> 'in'
    union select a.program_id, a.student_id from was c
      join shift_assignment a on a.program_id = c.program_id and a.id = c.assignment_id where c.kind <> 'in';
  insert into shift_kept_change (program_id, assignment_id)
    select a.program_id, a.id from was c join shift_assignment a on a.program_id = c.program_id and a.id = c.assignment_id
    where a.date between current_date - 4 and current_date + 4;
  return null;
end $$;
create or replace function keep_changed_records() returns trigger language plpgsql security definer set search_path = public as $$
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

create or replace function keep_new_shifts() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at),
    1)::shift_change) into changes
  from changed c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  insert into rotation_change (program_id, student_id) select distinct program_id, student_id from changed;
  insert into shift_kept_change (program_id, assignment_id)
    select program_id, id from changed where date between current_date - 4 and current_date + 4;
  return null;
end $$;
create or replace function keep_gone_shifts() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes shift_change[];
begin
  select array_agg(row(c.program_id, c.student_id, c.rotation_id, c.site_id, c.date, c.ends_at, shift_minutes(c.starts_at, c.ends_at),
    -1)::shift_change) into changes
  from was c where c.removed_at is null;
  if changes is not null then perform keep_shift_changes(changes); end if;
  insert into rotation_change (program_id, student_id) select distinct program_id, student_id from was;
  insert into shift_kept_change (program_id, assignment_id)
    select program_id, id from was where date between current_date - 4 and current_date + 4;
  return null;
end $$;
create or replace function keep_changed_shifts() returns trigger language plpgsql security definer set search_path = public as $$
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

-- What there is already.
select keep_rotations(id) from program;
