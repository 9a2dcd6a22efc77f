create or replace function begin_changes_anew() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from change;
  delete from change_horizon;
  update change_epoch set epoch = gen_random_uuid();
  return null;
end $$;

-- The last one of a transaction counts.
create or replace function note_change(of_program bigint, of_kind text, of_record bigint, of_student bigint, deleted boolean) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into change (program_id, kind, record_id, student_id, is_deleted) values (of_program, of_kind, of_record, of_student, deleted)
  on conflict (program_id, transaction, kind, record_id, student_id) do update set is_deleted = excluded.is_deleted
    where change.is_deleted <> excluded.is_deleted
$$;
revoke execute on function note_change(bigint,text,bigint,bigint,boolean) from public;

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

create or replace function note_assignments() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into change (program_id, kind, record_id, student_id, is_deleted)
      select program_id, 'assignment', id, student_id, removed_at is not null from new_rows on conflict do nothing;
  elsif tg_op = 'DELETE' then
    perform note_change(program_id, 'assignment', id, student_id, true) from old_rows;
  else
    perform note_change(program_id, 'assignment', id, student_id, removed_at is not null) from new_rows;
  end if;
  return null;
end $$;

create or replace function note_people() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into change (program_id, kind, record_id, is_deleted)
      select program_id, 'person', id, deleted_at is not null from new_rows where program_id is not null on conflict do nothing;
  else
    -- What is told of a person, and not how they sign in or what they prefer.
    perform note_change(n.program_id, 'person', n.id, 0, n.deleted_at is not null)
      from new_rows n join old_rows o on o.id = n.id
      where n.program_id is not null and
        (n.first_name, n.middle_name, n.last_name, n.suffix, n.user_name, n.email, n.phone, n.access_level, n.student_number, n.cohort,
          n.student_level_id, n.area_id, n.zip, n.institution, n.deactivated_at, n.deleted_at)
        is distinct from (o.first_name, o.middle_name, o.last_name, o.suffix, o.user_name, o.email, o.phone, o.access_level, o.student_number,
          o.cohort, o.student_level_id, o.area_id, o.zip, o.institution, o.deactivated_at, o.deleted_at);
  end if;
  return null;
end $$;

-- Nothing of an anonymous form: the moment would tell whose it is.
create or replace function note_evaluations() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_change(n.program_id, 'evaluation', n.id, 0, n.deleted_at is not null)
    from new_rows n join evaluation_template t on t.program_id = n.program_id and t.id = n.template_id
    where not t.is_anonymous and n.anonymous_number is null;
  return null;
end $$;

create or replace function note_requirements() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    perform note_change(program_id, 'requirement', requirement_id, student_id, site_id = 0) from old_rows order by site_id desc;
  elsif tg_op = 'INSERT' then
    perform note_change(program_id, 'requirement', requirement_id, student_id, false) from new_rows;
  else
    perform note_change(n.program_id, 'requirement', n.requirement_id, n.student_id, false)
      from new_rows n join old_rows o on o.program_id = n.program_id and o.student_id = n.student_id and o.site_id = n.site_id
        and o.requirement_id = n.requirement_id
      where n is distinct from o;
  end if;
  return null;
end $$;

create or replace function note_exams() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_change(program_id, 'competency', id, student_id, state = 'voided') from new_rows;
  return null;
end $$;

create or replace function note_logs() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_change(program_id, 'procedure', id, student_id, deleted_at is not null) from new_rows;
  return null;
end $$;
