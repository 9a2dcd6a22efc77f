-- What an event has told may change afterwards: hours that were approved are corrected, deleted and restored, a person comes back. Each of
-- these is an event, with what it was before.

create or replace function webhook_of_assignment() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'assignment.created', 'assignment/' || n.id, jsonb_build_object('AssignmentId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'ShiftId', n.site_shift_id, 'Date', n.date))
      from new_rows n where wants_webhook(n.program_id, 'assignment.created') order by n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'assignment/' || n.id, jsonb_build_object('AssignmentId', n.id,
        'StudentId', n.student_id, 'SiteId', n.site_id, 'ShiftId', n.site_shift_id, 'Date', n.date,
        'Before', jsonb_build_object('StudentId', o.student_id, 'SiteId', o.site_id, 'ShiftId', o.site_shift_id, 'Date', o.date,
          'IsRemoved', o.removed_at is not null)))
      from new_rows n join old_rows o on o.program_id = n.program_id and o.id = n.id
      cross join lateral (select case
        when n.removed_at is not null and o.removed_at is null then 'assignment.removed'
        when n.removed_at is null and o.removed_at is not null then 'assignment.created'
        when (n.student_id, n.site_id, n.site_shift_id, n.date) is distinct from (o.student_id, o.site_id, o.site_shift_id, o.date)
          then 'assignment.changed' end as type) c
      where c.type is not null and wants_webhook(n.program_id, c.type) order by n.id;
  end if;
  return null;
end $$;

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
        'Status', n.status, 'Before', jsonb_build_object('StudentId', o.student_id, 'SiteId', o.site_id, 'Kind', o.kind,
          'OccurredAt', o.occurred_at, 'EndsAt', o.ends_at, 'Minutes', o.minutes, 'Status', o.status)))
      from new_rows n join old_rows o on o.program_id = n.program_id and o.id = n.id
      cross join lateral (select case
        when n.deleted_at is not null and o.deleted_at is null then 'time.deleted'
        when n.deleted_at is null and o.deleted_at is not null then 'time.restored'
        when n.status <> o.status and n.status in ('approved', 'rejected') then 'time.' || n.status
        when (n.student_id, n.site_id, n.kind, n.occurred_at, n.ends_at, n.minutes, n.status)
          is distinct from (o.student_id, o.site_id, o.kind, o.occurred_at, o.ends_at, o.minutes, o.status) then 'time.changed' end as type) c
      where c.type is not null and wants_webhook(n.program_id, c.type) order by n.student_id, n.id;
  end if;
  return null;
end $$;

-- Of a person only numbers are told, and the names of the fields that changed.
create or replace function webhook_of_person() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select from webhook_endpoint where is_enabled and deleted_at is null) then return null; end if;
  if tg_op = 'INSERT' then
    perform emit_webhook(n.program_id, 'person.created', 'person/' || n.id, jsonb_build_object('PersonId', n.id,
        'AccessLevel', n.access_level, 'StudentNumber', n.student_number, 'IsActive', coalesce(n.deactivated_at, n.deleted_at) is null))
      from new_rows n where n.program_id is not null and wants_webhook(n.program_id, 'person.created') order by n.id;
  else
    perform emit_webhook(n.program_id, c.type, 'person/' || n.id, jsonb_build_object('PersonId', n.id,
        'AccessLevel', n.access_level, 'StudentNumber', n.student_number, 'IsActive', a.is_active, 'Changed', to_jsonb(f.names),
        'Before', jsonb_build_object('AccessLevel', o.access_level, 'StudentNumber', o.student_number, 'IsActive', a.was_active)))
      from new_rows n join old_rows o on o.id = n.id
      cross join lateral (select coalesce(n.deactivated_at, n.deleted_at) is null as is_active,
        coalesce(o.deactivated_at, o.deleted_at) is null as was_active) a
      cross join lateral (select array_remove(array[
        case when n.first_name is distinct from o.first_name then 'FirstName' end,
        case when n.last_name is distinct from o.last_name then 'LastName' end,
        case when n.email is distinct from o.email then 'EmailAddress' end,
        case when n.access_level is distinct from o.access_level then 'AccessLevel' end,
        case when n.student_number is distinct from o.student_number then 'StudentNumber' end,
        case when n.cohort is distinct from o.cohort then 'Cohort' end,
        case when n.student_level_id is distinct from o.student_level_id then 'StudentLevelId' end,
        case when n.area_id is distinct from o.area_id then 'AreaId' end,
        case when a.is_active <> a.was_active then 'IsActive' end], null) as names) f
      cross join lateral (select case
        when a.was_active and not a.is_active then 'person.deactivated'
        when f.names <> '{}' then 'person.changed' end as type) c
      where n.program_id is not null and c.type is not null and wants_webhook(n.program_id, c.type) order by n.id;
  end if;
  return null;
end $$;
