-- What students log of their procedures, one row a line, and what it adds up to by student and procedure.
create table procedure_log (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  skill_id bigint not null,
  -- The day of the shift.
  date date not null,
  -- Null on a day without a shift.
  assignment_id bigint,
  site_id bigint,
  -- Who is asked to verify; others see the entry once they have taken it over.
  supervisor_id bigint,
  -- Null where the major study has no participation levels.
  level_id bigint,
  count smallint not null check (count between 1 and 99),
  patient text not null default 'adult' check (patient in ('adult', 'pediatric', 'geriatric')),
  repeats smallint not null default 0 check (repeats between 0 and 99),
  repeat_reason text not null default '',
  -- The radiographer who was present at the repeats; known at the latest when they are verified.
  radiographer text not null default '',
  pathology_id bigint,
  -- The pathology in the student's own words, where the list has none for it.
  other_pathology text not null default '',
  note text not null default '',
  state text not null default 'submitted' check (state in ('submitted', 'verified', 'returned')),
  return_reason text not null default '',
  decided_at timestamptz,
  decided_by bigint,
  -- Grows with every change: a save says which one it started from.
  revision integer not null default 1,
  -- Made on the device: what is sent twice is kept once.
  key uuid not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, assignment_id) references shift_assignment,
  foreign key (program_id, site_id) references site,
  foreign key (program_id, supervisor_id) references account (program_id, id),
  foreign key (program_id, level_id) references participation_level,
  foreign key (program_id, pathology_id) references pathology,
  check ((state = 'submitted') = (decided_at is null)),
  check (state <> 'returned' or return_reason <> ''),
  check (repeats = 0 or repeat_reason <> ''),
  check (state <> 'verified' or repeats = 0 or radiographer <> '')
);
create unique index procedure_log_key on procedure_log (program_id, student_id, key);
create index procedure_log_student on procedure_log (program_id, student_id, date, id) where deleted_at is null;
create index procedure_log_day on procedure_log (program_id, date, id) where deleted_at is null;
create index procedure_log_skill on procedure_log (program_id, skill_id, date, id) where deleted_at is null;
create index procedure_log_site on procedure_log (program_id, site_id, date, id) where deleted_at is null;
-- What waits for somebody, and what waits for students.
create index procedure_log_waiting on procedure_log (program_id, supervisor_id, date, student_id)
  where state = 'submitted' and deleted_at is null;
create index procedure_log_waiting_site on procedure_log (program_id, site_id, date, student_id)
  where state = 'submitted' and deleted_at is null;
create index procedure_log_open on procedure_log (program_id, state, date, id) where state <> 'verified' and deleted_at is null;
-- What the list of all is narrowed down to that is rare.
create index procedure_log_repeats on procedure_log (program_id, date, id) where repeats > 0 and deleted_at is null;
create index procedure_log_without_shift on procedure_log (program_id, date, id) where assignment_id is null and deleted_at is null;
create index procedure_log_patient on procedure_log (program_id, patient, date, id) where patient <> 'adult' and deleted_at is null;
create trigger touch before update on procedure_log for each row execute function touch();
call protect_by_program('procedure_log');

-- What an entry said before staff or its supervisor changed it.
create table procedure_log_change (
  program_id bigint not null,
  id bigint generated always as identity,
  log_id bigint not null,
  at timestamptz not null default now(),
  by_id bigint not null,
  reason text not null default '',
  before jsonb not null,
  primary key (program_id, id),
  foreign key (program_id, log_id) references procedure_log
);
create index procedure_log_change_log on procedure_log_change (program_id, log_id);
call protect_by_program('procedure_log_change');

create table procedure_sum (
  program_id bigint not null references program,
  student_id bigint not null,
  skill_id bigint not null,
  verified integer not null,
  waiting integer not null,
  returned integer not null,
  last_date date not null,
  -- The participation level of the last entry.
  last_level_id bigint,
  -- By level, 0 without one: verified and waiting. Which of them count is the list's to say, and may change.
  levels jsonb not null,
  primary key (program_id, student_id, skill_id)
);
create index procedure_sum_skill on procedure_sum (program_id, skill_id);
call protect_by_program('procedure_sum');

-- The sums of these students and procedures; of all where none are named.
create function count_procedures(of_program bigint, of_students bigint[], of_skills bigint[]) returns setof procedure_sum
  language sql stable set search_path = public as $$
  select of_program, l.student_id, l.skill_id, sum(l.verified)::integer, sum(l.waiting)::integer, sum(l.returned)::integer,
    max(l.last_date), (array_agg(nullif(l.level_id, 0) order by l.last_date desc, l.last_id desc))[1],
    jsonb_object_agg(l.level_id, jsonb_build_array(l.verified, l.waiting))
  from (
    select student_id, skill_id, coalesce(level_id, 0) as level_id,
      coalesce(sum(count) filter (where state = 'verified'), 0) as verified,
      coalesce(sum(count) filter (where state = 'submitted'), 0) as waiting,
      coalesce(sum(count) filter (where state = 'returned'), 0) as returned,
      max(date) as last_date, max(id) as last_id
    from procedure_log
    where program_id = of_program and deleted_at is null and (of_students is null or student_id = any (of_students))
      and (of_skills is null or skill_id = any (of_skills))
    group by 1, 2, 3) l
  group by l.student_id, l.skill_id
$$;

create procedure keep_procedure_sums(of_program bigint, of_students bigint[], of_skills bigint[])
  language plpgsql set search_path = public as $$
begin
  -- A separate statement: those below see what whoever held the lock has committed. The same lock as in procedure-logs.queries.ts.
  perform pg_advisory_xact_lock(hashtextextended('procedure-log:' || student, 0))
    from (select distinct unnest(of_students) as student order by 1) s;
  delete from procedure_sum where program_id = of_program and (of_students is null or student_id = any (of_students))
    and (of_skills is null or skill_id = any (of_skills));
  insert into procedure_sum select * from count_procedures(of_program, of_students, of_skills);
end $$;

create function keep_logged_procedures() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select program_id, array_agg(distinct student_id) as students, array_agg(distinct skill_id) as skills
    from changed group by program_id order by program_id
  loop
    call keep_procedure_sums(each.program_id, each.students, each.skills);
  end loop;
  return null;
end $$;
create trigger keep_added after insert on procedure_log referencing new table as changed
  for each statement execute function keep_logged_procedures();
create trigger keep_removed after delete on procedure_log referencing old table as changed
  for each statement execute function keep_logged_procedures();
-- Both the procedure that an entry was of and the one it is of now.
create function keep_changed_procedures() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select program_id, array_agg(distinct student_id) as students, array_agg(distinct skill_id) as skills
    from (select * from before union all select * from after) changed group by program_id order by program_id
  loop
    call keep_procedure_sums(each.program_id, each.students, each.skills);
  end loop;
  return null;
end $$;
create trigger keep_updated after update on procedure_log referencing old table as before new table as after
  for each statement execute function keep_changed_procedures();

create function recount_procedure_sums(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in select id from program where of_program is null or id = of_program order by id loop
    -- Nobody logs meanwhile; the sums are few against what they tell.
    lock table procedure_log in share row exclusive mode;
    call keep_procedure_sums(each.id, null, null);
  end loop;
end $$;

create function wrong_procedure_sums(of_program bigint) returns table (name text, keys bigint)
  language sql stable security definer set search_path = public as $$
  select 'procedure_sum', count(distinct (a.student_id, a.skill_id)) from (
    (select * from count_procedures(of_program, null, null) except select * from procedure_sum where program_id = of_program)
    union all
    (select * from procedure_sum where program_id = of_program except select * from count_procedures(of_program, null, null))) a
$$;

call add_mail_template('PROCEDURES_returned',
  '<p><strong>Procedures returned.</strong> Tells a student which logged procedures were returned, and why.</p>',
  '{{change.summary}}',
  '<p>Hello {{student.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">Correct your log</a></p>');
