-- Events of hours tell what was on the clock and what was taken off as meal breaks beside what counts, as records do.
create or replace function webhook_of_time_record() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'time.punched', 'student/' || n.student_id || '/time', jsonb_build_object('RecordId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'Kind', n.kind, 'OccurredAt', n.occurred_at))
      from new_rows n where n.kind in ('in', 'out') and wants_webhook(n.program_id, 'time.punched') order by n.student_id, n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'student/' || n.student_id || '/time', jsonb_build_object('RecordId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'Kind', n.kind, 'OccurredAt', n.occurred_at, 'EndsAt', n.ends_at, 'Minutes', n.minutes,
        'ClockMinutes', coalesce(n.clock_minutes, n.minutes), 'MealMinutes', n.meal_minutes, 'Status', n.status,
        'Before', jsonb_build_object('StudentId', o.student_id, 'SiteId', o.site_id, 'Kind', o.kind,
          'OccurredAt', o.occurred_at, 'EndsAt', o.ends_at, 'Minutes', o.minutes,
          'ClockMinutes', coalesce(o.clock_minutes, o.minutes), 'MealMinutes', o.meal_minutes, 'Status', o.status)))
      from new_rows n join old_rows o on o.program_id = n.program_id and o.id = n.id
      cross join lateral (select case
        when n.deleted_at is not null and o.deleted_at is null then 'time.deleted'
        when n.deleted_at is null and o.deleted_at is not null then 'time.restored'
        when n.status <> o.status and n.status in ('approved', 'rejected') then 'time.' || n.status
        when (n.student_id, n.site_id, n.kind, n.occurred_at, n.ends_at, n.minutes, n.clock_minutes, n.meal_minutes, n.status)
          is distinct from (o.student_id, o.site_id, o.kind, o.occurred_at, o.ends_at, o.minutes, o.clock_minutes, o.meal_minutes, o.status) then 'time.changed' end as type) c
      where c.type is not null and wants_webhook(n.program_id, c.type) order by n.student_id, n.id;
  end if;
  return null;
end $$;
