-- A punch is one record, and its other half one more: what its triggers find to do is asked first, and done without joins and groups
-- (docs/decisions/a-punch-is-told-from-what-was-decided.md). The sums and marks are the same.

-- One change is added as it is. Two of a clock-in, which counts no hours, have nothing in common that a group would find.
create or replace function keep_record_changes(changes record_change[]) returns void language plpgsql security definer
  set search_path to 'public' as $$
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
          insert into week_sum (program_id, monday, rotation_id, site_id, kind, minutes, pending_minutes)
          values (one.program_id, date_trunc('week', one.date)::date, coalesce(one.rotation_id, 0), coalesce(one.site_id, 0), one.kind, changed_minutes,
            case when one.status = 'pending' then changed_minutes else 0 end);
        end if;
      end if;
      if one.status = 'pending' then
        insert into pending_sum (program_id, site_id, insight, is_matched, records, minutes)
        values (one.program_id, coalesce(one.site_id, 0), one.insight, one.is_matched, one.records,
          case when one.kind = 'absence' then 0 else changed_minutes end);
      end if;
    end loop;
    return;
  end if;
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

create or replace function mark_records() returns trigger language plpgsql security definer set search_path to 'public' as $$
begin
  if exists (select from touched where kind <> 'in') then
    insert into rotation_change (program_id, student_id)
      select t.program_id, t.student_id from touched t where t.kind <> 'in'
      union select a.program_id, a.student_id from touched t
        join shift_assignment a on a.program_id = t.program_id and a.id = t.assignment_id where t.kind <> 'in';
  end if;
  if exists (select from touched where assignment_id is not null) then
    insert into shift_kept_change (program_id, assignment_id)
      select a.program_id, a.id from touched t join shift_assignment a on a.program_id = t.program_id and a.id = t.assignment_id
      where a.date between current_date - 4 and current_date + 4;
  end if;
  return null;
end $$;

create or replace function mark_changed_records() returns trigger language plpgsql security definer set search_path to 'public' as $$
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
  if exists (select from changed where assignment_id is not null) or exists (select from was where assignment_id is not null) then
    insert into shift_kept_change (program_id, assignment_id)
      select a.program_id, a.id from was w join changed c on c.program_id = w.program_id and c.id = w.id
      join shift_assignment a on a.program_id = w.program_id and a.id in (w.assignment_id, c.assignment_id)
      where a.date between current_date - 4 and current_date + 4
        and (w.student_id, w.kind, w.partner_id, w.status = 'rejected', w.deleted_at, w.occurred_at, w.assignment_id)
          is distinct from (c.student_id, c.kind, c.partner_id, c.status = 'rejected', c.deleted_at, c.occurred_at, c.assignment_id)
      group by 1, 2;
  end if;
  return null;
end $$;

create or replace function note_time_update() returns trigger language plpgsql as $$
begin
  if current_program() is null then return null; end if;
  -- Of what was and is not approved there is nothing to tell.
  if not exists (select from became where status = 'approved') and not exists (select from was where status = 'approved') then
    return null;
  end if;
  insert into email_notice (program_id, account_id, label, subject_key, before, after)
  select c.program_id, c.student_id, 'TIME_approved', 'record:' || c.id,
    case when c.was_approved then t.line end, case when c.is_approved then t.line end
  from (
    select r.program_id, r.id, max(r.student_id) as student_id,
      max(r.site_id) filter (where r.is_new) as site_id, max(r.date) filter (where r.is_new) as date,
      max(r.minutes) filter (where r.is_new) as minutes,
      bool_or(r.approved and not r.is_new) as was_approved, bool_or(r.approved and r.is_new) as is_approved
    from (
      select program_id, id, student_id, site_id, date, minutes, status = 'approved' as approved, false as is_new,
        true as counts from was
      union all
      select program_id, id, student_id, site_id, date, minutes, status = 'approved', true,
        kind <> 'in' and deleted_at is null from became) r
    where r.program_id = (select current_program())
    group by r.program_id, r.id
    having bool_and(r.counts)
      and bool_or(r.approved and not r.is_new) <> bool_or(r.approved and r.is_new)) c
  left join site s on s.program_id = c.program_id and s.id = c.site_id
  cross join lateral (select to_char(c.date, 'MM/DD/YYYY') || coalesce(', ' || s.name, '')
    || case when c.minutes > 0 then ': ' || (c.minutes / 60) || ' h ' || lpad((c.minutes % 60)::text, 2, '0') || ' min'
      else '' end as line) t;
  return null;
end $$;

-- A clock-in counts no hours, neither when it is made nor when it is closed.
drop trigger keep_hours on time_record;
create trigger keep_hours_new after insert on time_record for each row when (new.kind <> 'in') execute function keep_hours();
create trigger keep_hours_gone after delete on time_record for each row when (old.kind <> 'in') execute function keep_hours();
create trigger keep_hours_changed after update of minutes, status, partner_id, rotation_id, kind, deleted_at on time_record
  for each row when (old.kind <> 'in' or new.kind <> 'in') execute function keep_hours();

-- A day is marked when it is kept already: of one record that is asked of the program's zone and of its shift, without a join.
create function mark_attendance_of_record(of_program bigint, of_date date, of_assignment bigint) returns void language plpgsql
  security definer set search_path to 'public' as $$
declare
  zone text := (select p.time_zone from program p where p.id = of_program);
  shift_date date;
begin
  if is_kept_day(of_date, zone) then
    insert into attendance_change (program_id, date) values (of_program, of_date);
  end if;
  if of_assignment is null then return; end if;
  shift_date := (select a.date from shift_assignment a where a.program_id = of_program and a.id = of_assignment);
  if shift_date <> of_date and is_kept_day(shift_date, zone) then
    insert into attendance_change (program_id, date) values (of_program, shift_date);
  end if;
end $$;
revoke execute on function mark_attendance_of_record(bigint, date, bigint) from public;

create or replace function mark_attendance_of_records() returns trigger language plpgsql security definer set search_path to 'public' as $$
declare
  records bigint;
  of_program bigint;
  of_date date;
  of_assignment bigint;
begin
  if tg_op = 'DELETE' then
    insert into attendance_change (program_id, date)
      select distinct c.program_id, d.date from was c join program p on p.id = c.program_id
      cross join lateral (select c.date union select a.date from shift_assignment a
        where a.program_id = c.program_id and a.id = c.assignment_id) d
      where is_kept_day(d.date, p.time_zone);
    return null;
  end if;
  select count(*), min(c.program_id), min(c.date), min(c.assignment_id) into records, of_program, of_date, of_assignment from changed c;
  if tg_op = 'INSERT' then
    if records = 1 then
      perform mark_attendance_of_record(of_program, of_date, of_assignment);
      return null;
    end if;
    insert into attendance_change (program_id, date)
      select distinct c.program_id, d.date from changed c join program p on p.id = c.program_id
      cross join lateral (select c.date union select a.date from shift_assignment a
        where a.program_id = c.program_id and a.id = c.assignment_id) d
      where is_kept_day(d.date, p.time_zone);
    return null;
  end if;
  if records = 1 and exists (select from was w
    where w.program_id = of_program and w.date = of_date and w.assignment_id is not distinct from of_assignment) then
    perform mark_attendance_of_record(of_program, of_date, of_assignment);
    return null;
  end if;
  insert into attendance_change (program_id, date)
    select distinct c.program_id, d.date
    from (select program_id, date, assignment_id from changed union select program_id, date, assignment_id from was) c
    join program p on p.id = c.program_id
    cross join lateral (select c.date union select a.date from shift_assignment a
      where a.program_id = c.program_id and a.id = c.assignment_id) d
    where is_kept_day(d.date, p.time_zone);
  return null;
end $$;
