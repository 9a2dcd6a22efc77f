-- How much of the time on the clock counts is a program's rule, from a day on (docs/decisions/rules-of-hours.md). `minutes` is what counts.
alter table program add hours_rules jsonb not null default '[]';
alter table time_record
  -- From begin to end, where that is not what counts.
  add clock_minutes integer check (clock_minutes >= 0),
  -- What was taken off as a meal break.
  add meal_minutes smallint not null default 0 check (meal_minutes >= 0);

-- A shift that ends at the time at which it starts lasts a day, where the program allows it.
alter table site_shift drop constraint site_shift_check1;

create or replace function note_time_records() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into change (program_id, kind, record_id, student_id, is_deleted)
      select program_id, 'time-record', id, student_id, deleted_at is not null from new_rows on conflict do nothing;
  elsif tg_op = 'DELETE' then
    perform note_change(program_id, 'time-record', id, student_id, true) from old_rows;
  else
    -- What is told of a record, and not when its student was written to.
    perform note_change(n.program_id, 'time-record', n.id, n.student_id, n.deleted_at is not null)
      from new_rows n join old_rows o on o.program_id = n.program_id and o.id = n.id
      where (n.student_id, n.site_id, n.kind, n.occurred_at, n.ends_at, n.minutes, n.clock_minutes, n.meal_minutes, n.status, n.insight, n.reasons, n.reason, n.assignment_id,
          n.rotation_id, n.partner_id, n.change_status, n.decided_at, n.decision_reason, n.deleted_at)
        is distinct from (o.student_id, o.site_id, o.kind, o.occurred_at, o.ends_at, o.minutes, o.clock_minutes, o.meal_minutes, o.status, o.insight, o.reasons, o.reason,
          o.assignment_id, o.rotation_id, o.partner_id, o.change_status, o.decided_at, o.decision_reason, o.deleted_at);
  end if;
  return null;
end $$;
