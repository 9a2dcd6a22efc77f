-- What changed in a program, for whoever keeps a copy of it: one row for a record and a transaction, told in the order of transactions. A
-- transaction's number is given at its first change and may be lower than that of one which commits before it, so only numbers
-- are read below which nothing runs any longer: a reader that has come to one has seen all before it.
create table change (
  program_id bigint not null references program,
  transaction xid8 not null default pg_current_xact_id(),
  kind text not null,
  -- Of a requirement: the requirement. With the student it names what changed.
  record_id bigint not null,
  student_id bigint not null default 0,
  is_deleted boolean not null,
  at timestamptz not null default now(),
  primary key (program_id, transaction, kind, record_id, student_id)
);
create index change_age on change (at);
call protect_by_program('change');
revoke insert, update, delete on change from app;

-- Up to where changes are forgotten.
create table change_horizon (
  program_id bigint primary key references program,
  transaction xid8 not null
);
call protect_by_program('change_horizon');
revoke insert, update, delete on change_horizon from app;

-- Numbers of transactions mean something in one installation alone: in a restored copy they begin anew.
create table change_epoch (
  is_only boolean primary key default true check (is_only),
  epoch uuid not null default gen_random_uuid()
);
insert into change_epoch default values;
revoke insert, update, delete on change_epoch from app;

create function begin_changes_anew() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from change;
  delete from change_horizon;
  update change_epoch set epoch = gen_random_uuid();
  return null;
end $$;
create trigger begin_changes_anew after insert or update on restored_copy for each statement execute function begin_changes_anew();

-- The last one of a transaction counts.
create function note_change(of_program bigint, of_kind text, of_record bigint, of_student bigint, deleted boolean) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into change (program_id, kind, record_id, student_id, is_deleted) values (of_program, of_kind, of_record, of_student, deleted)
  on conflict (program_id, transaction, kind, record_id, student_id) do update set is_deleted = excluded.is_deleted
    where change.is_deleted <> excluded.is_deleted
$$;
revoke all on function note_change from public;

create function note_time_records() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
      where (n.student_id, n.site_id, n.kind, n.occurred_at, n.ends_at, n.minutes, n.status, n.insight, n.reasons, n.reason, n.assignment_id,
          n.rotation_id, n.partner_id, n.change_status, n.decided_at, n.decision_reason, n.deleted_at)
        is distinct from (o.student_id, o.site_id, o.kind, o.occurred_at, o.ends_at, o.minutes, o.status, o.insight, o.reasons, o.reason,
          o.assignment_id, o.rotation_id, o.partner_id, o.change_status, o.decided_at, o.decision_reason, o.deleted_at);
  end if;
  return null;
end $$;
create trigger feed_added after insert on time_record referencing new table as new_rows for each statement execute function note_time_records();
create trigger feed_changed after update on time_record referencing old table as old_rows new table as new_rows
  for each statement execute function note_time_records();
create trigger feed_gone after delete on time_record referencing old table as old_rows for each statement execute function note_time_records();

create function note_assignments() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger feed_added after insert on shift_assignment referencing new table as new_rows
  for each statement execute function note_assignments();
create trigger feed_changed after update on shift_assignment referencing new table as new_rows
  for each statement execute function note_assignments();
create trigger feed_gone after delete on shift_assignment referencing old table as old_rows
  for each statement execute function note_assignments();

create function note_people() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger feed_added after insert on account referencing new table as new_rows for each statement execute function note_people();
create trigger feed_changed after update on account referencing old table as old_rows new table as new_rows
  for each statement execute function note_people();

-- Nothing of an anonymous form: the moment would tell whose it is.
create function note_evaluations() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_change(n.program_id, 'evaluation', n.id, 0, n.deleted_at is not null)
    from new_rows n join evaluation_template t on t.program_id = n.program_id and t.id = n.template_id
    where not t.is_anonymous and n.anonymous_number is null;
  return null;
end $$;
create trigger feed_added after insert on evaluation referencing new table as new_rows for each statement execute function note_evaluations();
create trigger feed_changed after update on evaluation referencing new table as new_rows for each statement execute function note_evaluations();

create function note_requirements() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
create trigger feed_added after insert on student_requirement referencing new table as new_rows
  for each statement execute function note_requirements();
create trigger feed_changed after update on student_requirement referencing old table as old_rows new table as new_rows
  for each statement execute function note_requirements();
create trigger feed_gone after delete on student_requirement referencing old table as old_rows
  for each statement execute function note_requirements();

create function note_exams() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_change(program_id, 'competency', id, student_id, state = 'voided') from new_rows;
  return null;
end $$;
create trigger feed_added after insert on exam_attempt referencing new table as new_rows for each statement execute function note_exams();
create trigger feed_changed after update on exam_attempt referencing new table as new_rows for each statement execute function note_exams();

create function note_logs() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note_change(program_id, 'procedure', id, student_id, deleted_at is not null) from new_rows;
  return null;
end $$;
create trigger feed_added after insert on procedure_log referencing new table as new_rows for each statement execute function note_logs();
create trigger feed_changed after update on procedure_log referencing new table as new_rows for each statement execute function note_logs();

-- What changed 60 days ago is forgotten, and up to where it is.
create function tidy_changes() returns void language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from change where at < now() - interval '60 days' returning program_id, transaction)
  insert into change_horizon as h (program_id, transaction) select program_id, max(transaction) from gone group by program_id
  on conflict (program_id) do update set transaction = greatest(h.transaction, excluded.transaction)
$$;
