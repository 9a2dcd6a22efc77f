-- What an assignment was before it became another student's or that of another shift or day: the calendars that had it tell that it is cancelled.
create table former_assignment (
  program_id bigint not null,
  assignment_id bigint not null,
  rotation_id bigint not null,
  site_shift_id bigint not null,
  site_id bigint not null,
  student_id bigint not null,
  date date not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  left_at timestamptz not null default now(),
  primary key (program_id, assignment_id, student_id, site_shift_id, date),
  foreign key (program_id, assignment_id) references shift_assignment on delete cascade
);
create index former_assignment_left on former_assignment (program_id, left_at);
call protect_by_program('former_assignment');
revoke insert, update, delete on former_assignment from app;

-- Calendars tell it for 30 days.
create function keep_former_assignments() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger keep_former after update on shift_assignment referencing old table as old_rows new table as new_rows
  for each statement execute function keep_former_assignments();
