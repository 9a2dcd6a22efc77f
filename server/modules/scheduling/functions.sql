call read_across('site_shift', 'program_id, id, site_id');
call read_across('day_off', 'program_id, start_date, end_date');
call read_across('shift_assignment', 'program_id, student_id, rotation_id, site_id, date, starts_at, ends_at, removed_at');
call read_across('rotation', 'program_id, id, target_minutes, deleted_at');
call read_across('calendar_feed', 'program_id, account_id, token_hash');

-- The counter follows the assignments in the same statement, whoever writes them; the check refuses the one too many.
create or replace function count_placed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.removed_at is null
     and (new.removed_at is not null or (new.site_shift_id, new.date) <> (old.site_shift_id, old.date)) then
    update shift_day set placed = placed - 1
      where program_id = old.program_id and site_shift_id = old.site_shift_id and date = old.date;
  end if;
  if new.removed_at is null
     and (tg_op = 'INSERT' or old.removed_at is not null or (new.site_shift_id, new.date) <> (old.site_shift_id, old.date)) then
    insert into shift_day as day (program_id, site_shift_id, date, placed, capacity)
      select new.program_id, new.site_shift_id, new.date, 1, s.capacity from site_shift s
      where s.program_id = new.program_id and s.id = new.site_shift_id
    on conflict (program_id, site_shift_id, date) do update set placed = day.placed + 1;
  end if;
  return null;
end $$;

-- Calendars tell it for 30 days.
create or replace function keep_former_assignments() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into former_assignment as f
      (program_id, assignment_id, rotation_id, site_shift_id, site_id, student_id, date, starts_at, ends_at)
    select o.program_id, o.id, o.rotation_id, o.site_shift_id, o.site_id, o.student_id, o.date, o.starts_at, o.ends_at
    from old_rows o join new_rows n on n.program_id = o.program_id and n.id = o.id
    where o.removed_at is null and (n.student_id, n.site_shift_id, n.date) <> (o.student_id, o.site_shift_id, o.date)
  on conflict (program_id, assignment_id, student_id, site_shift_id, date) do update set left_at = excluded.left_at,
    rotation_id = excluded.rotation_id, site_id = excluded.site_id, starts_at = excluded.starts_at, ends_at = excluded.ends_at;
  if found then
    delete from former_assignment
    where program_id in (select program_id from new_rows) and left_at < now() - interval '30 days';
  end if;
  return null;
end $$;
