-- How every student is doing on her competency list, one packed row each, so that the grid of a program reads a page of texts in
-- place of judging eighty procedures of every student. It is judged anew, for the students whom a change concerns, in the
-- transaction of the change: a log, an exam, a lab check, the list or its rules, a cohort.
create table competency_standing (
  program_id bigint not null references program,
  student_id bigint not null,
  list_id bigint not null,
  -- One character for each procedure of the list, in the order of their ids: see contract/competencies/grid-states.ts.
  cells text not null,
  -- All that is logged and not returned, counted or not.
  logged integer not null,
  -- Exams passed, and procedures of which enough is logged and verified.
  passed smallint not null,
  ready smallint not null,
  -- How much of what the list asks was passed; electives no further than they are needed.
  done smallint not null,
  primary key (program_id, student_id)
);
create index competency_standing_list on competency_standing (program_id, list_id, student_id);
call protect_by_program('competency_standing');

-- The character of a procedure. contract/competencies/grid-states.ts has the same rule, and a test compares them.
create function competency_code(needed integer, counted bigint, waiting bigint, logged bigint, lacks_lab boolean, exam text)
  returns text language sql immutable as $$
  select case when exam is not null then exam
    when counted >= needed and lacks_lab then 'l'
    when counted >= needed then 'r'
    when counted + waiting >= needed then 'w'
    when logged = 0 then 'n'
    else least(9, needed - counted - waiting)::text end
$$;

-- Who has which list: the one of the cohort, or else the one for all others; of all students where none are named.
create function competency_lists_of(of_program bigint, of_students bigint[]) returns table (student_id bigint, list_id bigint)
  language sql stable set search_path = public as $$
  select a.id, l.id
  from account a
  left join competency_list_cohort c on c.program_id = a.program_id and c.cohort = a.cohort
  join competency_list l on l.program_id = a.program_id and l.deleted_at is null
    and (l.id = c.list_id or c.list_id is null and l.is_for_others)
  where a.program_id = of_program and a.access_level = 39 and a.deleted_at is null
    and (of_students is null or a.id = any (of_students))
$$;

create function judge_competencies(of_program bigint, of_students bigint[]) returns setof competency_standing
  language sql stable set search_path = public as $$
  with own as materialized (select * from competency_lists_of(of_program, of_students)),
  listed as materialized (
    select m.list_id, t.id as skill_id, t.lineage, t.is_mandatory, t.needs_lab_check, t.unlock_count::integer as needed,
      v.counted is not null as has_levels, coalesce(o.counted, v.counted, '{}') as counted
    from major_study m
    join skill t on t.program_id = m.program_id and t.major_study_id = m.id and t.deleted_at is null
    left join lateral (
      select coalesce(array_agg(lower(p.name)) filter (where p.is_counted), '{}') as counted from participation_level p
      where p.program_id = m.program_id and p.major_study_id = m.id and p.deleted_at is null having count(*) > 0) v on true
    left join lateral (
      select coalesce(array_agg(lower(p.name)) filter (where p.major_study_id = m.id), '{}') as counted
      from skill_participation_level e
      join participation_level p on p.program_id = e.program_id and p.id = e.level_id and p.deleted_at is null
      where e.program_id = t.program_id and e.skill_id = t.id having count(*) > 0) o on true
    where m.program_id = of_program and m.deleted_at is null and m.list_id in (select list_id from own)),
  -- Of each student once, before anything is joined to it: from the other side every procedure would look through all of a student's.
  summed as materialized (
    select s.student_id, s.skill_id, nullif(e.key, '0')::bigint as level_id, (e.value ->> 0)::integer as verified,
      (e.value ->> 1)::integer as waiting
    from procedure_sum s cross join lateral jsonb_each(s.levels) e
    where s.program_id = of_program and (of_students is null or s.student_id = any (of_students))),
  -- Logs of earlier versions of a procedure are its own, at the levels of the same names.
  logged as (
    select w.student_id, t.skill_id, sum(s.verified + s.waiting) as logged,
      coalesce(sum(s.verified) filter (where not t.has_levels or lower(p.name) = any (t.counted)), 0) as counted,
      coalesce(sum(s.waiting) filter (where not t.has_levels or lower(p.name) = any (t.counted)), 0) as waiting
    from summed s
    join own w on w.student_id = s.student_id
    join skill k on k.program_id = of_program and k.id = s.skill_id
    join listed t on t.list_id = w.list_id and t.lineage = k.lineage
    left join participation_level p on p.program_id = of_program and p.id = s.level_id
    group by 1, 2),
  -- So are exams and lab checks. What was passed once stays passed; a failed exam is one until it is passed.
  examined as (
    select w.student_id, t.skill_id, case when bool_or(x.state = 'passed' and not x.is_simulated) then 'p'
      when bool_or(x.state = 'passed') then 's' else 'f' end as exam
    from own w
    join exam_attempt x on x.program_id = of_program and x.student_id = w.student_id
      and (x.state = 'passed' or x.state = 'failed' and x.recheck_id is null)
    join skill k on k.program_id = x.program_id and k.id = x.skill_id
    join listed t on t.list_id = w.list_id and t.lineage = k.lineage
    group by 1, 2),
  checked as (
    select distinct w.student_id, t.skill_id
    from own w
    join lab_check c on c.program_id = of_program and c.student_id = w.student_id and c.deleted_at is null
    join skill k on k.program_id = c.program_id and k.id = c.skill_id
    join listed t on t.list_id = w.list_id and t.lineage = k.lineage and t.needs_lab_check),
  judged as (
    select w.student_id, w.list_id, t.skill_id, t.is_mandatory, coalesce(g.logged, 0) as logged,
      case when t.skill_id is not null then competency_code(t.needed, coalesce(g.counted, 0), coalesce(g.waiting, 0), coalesce(g.logged, 0),
        t.needs_lab_check and c.skill_id is null, x.exam) end as code
    from own w
    left join listed t on t.list_id = w.list_id
    left join logged g on g.student_id = w.student_id and g.skill_id = t.skill_id
    left join examined x on x.student_id = w.student_id and x.skill_id = t.skill_id
    left join checked c on c.student_id = w.student_id and c.skill_id = t.skill_id)
  select of_program, j.student_id, j.list_id, coalesce(string_agg(j.code, '' order by j.skill_id), ''),
    coalesce(sum(j.logged), 0)::integer, (count(*) filter (where j.code in ('p', 's')))::smallint,
    (count(*) filter (where j.code = 'r'))::smallint,
    (count(*) filter (where j.code in ('p', 's') and j.is_mandatory)
      + least(l.electives_needed, count(*) filter (where j.code in ('p', 's') and not j.is_mandatory)))::smallint
  from judged j join competency_list l on l.program_id = of_program and l.id = j.list_id
  group by j.student_id, j.list_id, l.electives_needed
$$;

-- Keeps the rows of these students, or of all where none are named. What is the same stays untouched.
create procedure write_competencies(of_program bigint, of_students bigint[]) language plpgsql set search_path = public as $$
begin
  with judged as materialized (select * from judge_competencies(of_program, of_students)),
  gone as (
    delete from competency_standing s where s.program_id = of_program and (of_students is null or s.student_id = any (of_students))
      and not exists (select from judged j where j.student_id = s.student_id))
  insert into competency_standing as s select * from judged
  on conflict (program_id, student_id) do update set list_id = excluded.list_id, cells = excluded.cells, logged = excluded.logged,
    passed = excluded.passed, ready = excluded.ready, done = excluded.done
  where s.* is distinct from excluded.*;
end $$;

-- After a change of students. Lists wait for it and it for lists: whoever comes later sees what the other has committed. A lock for
-- each of very many students would fill the table of locks, so they wait for everything of the program.
create procedure keep_competencies(of_program bigint, of_students bigint[]) language plpgsql set search_path = public as $$
begin
  if cardinality(of_students) > 200 then
    perform pg_advisory_xact_lock(hashtextextended('competency-lists:' || of_program, 0));
  else
    perform pg_advisory_xact_lock(hashtextextended('procedure-log:' || student, 0))
      from (select distinct unnest(of_students) as student order by 1) s;
    perform pg_advisory_xact_lock_shared(hashtextextended('competency-lists:' || of_program, 0));
  end if;
  call write_competencies(of_program, of_students);
end $$;

-- After a change of lists, about everybody who has one of them.
create procedure keep_competencies_of_lists(of_program bigint, of_lists bigint[]) language plpgsql set search_path = public as $$
declare
  students bigint[];
begin
  perform pg_advisory_xact_lock(hashtextextended('competency-lists:' || of_program, 0));
  students := array(
    select s.student_id from competency_standing s where s.program_id = of_program and s.list_id = any (of_lists)
    union select o.student_id from competency_lists_of(of_program, null) o where o.list_id = any (of_lists));
  if cardinality(students) > 0 then call write_competencies(of_program, students); end if;
end $$;

create or replace procedure keep_procedure_sums(of_program bigint, of_students bigint[], of_skills bigint[])
  language plpgsql set search_path = public as $$
begin
  -- A separate statement: those below see what whoever held the lock has committed. The same lock as in procedure-logs.queries.ts.
  perform pg_advisory_xact_lock(hashtextextended('procedure-log:' || student, 0))
    from (select distinct unnest(of_students) as student order by 1) s;
  delete from procedure_sum where program_id = of_program and (of_students is null or student_id = any (of_students))
    and (of_skills is null or skill_id = any (of_skills));
  insert into procedure_sum select * from count_procedures(of_program, of_students, of_skills);
  if of_students is not null then call keep_competencies(of_program, of_students); end if;
end $$;

create procedure keep_competencies_of_changed(of_programs bigint[], of_lists bigint[]) language plpgsql set search_path = public as $$
declare
  each record;
begin
  for each in
    select program_id, array_agg(id) as lists from competency_list
    where program_id = any (of_programs) and id = any (of_lists) group by 1 order by 1
  loop
    call keep_competencies_of_lists(each.program_id, each.lists);
  end loop;
end $$;

-- Lists, their major studies, procedures and levels. Names and order are read where they are shown.
create function keep_list_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  lists bigint[];
  programs bigint[];
begin
  if tg_table_name = 'competency_list' then
    lists := array(select id from changed);
  elsif tg_table_name in ('major_study', 'competency_list_cohort') then
    lists := array(select list_id from changed);
  elsif tg_table_name = 'skill_participation_level' then
    lists := array(select m.list_id from changed c
      join skill t on t.program_id = c.program_id and t.id = c.skill_id
      join major_study m on m.program_id = t.program_id and m.id = t.major_study_id);
  else
    lists := array(select m.list_id from changed c
      join major_study m on m.program_id = c.program_id and m.id = c.major_study_id);
  end if;
  programs := array(select distinct program_id from changed);
  call keep_competencies_of_changed(programs, lists);
  return null;
end $$;

-- What a row was and what it is, where it differs in what matters to the students who have the list.
create function keep_updated_list_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  lists bigint[];
  programs bigint[];
begin
  if tg_table_name = 'competency_list' then
    lists := array(select id from (
      (select program_id, id, deleted_at, is_for_others, electives_needed from before except select program_id, id, deleted_at, is_for_others, electives_needed from after)
      union all (select program_id, id, deleted_at, is_for_others, electives_needed from after except select program_id, id, deleted_at, is_for_others, electives_needed from before)) c);
  elsif tg_table_name = 'major_study' then
    lists := array(select list_id from (
      (select program_id, id, list_id, deleted_at from before except select program_id, id, list_id, deleted_at from after)
      union all (select program_id, id, list_id, deleted_at from after except select program_id, id, list_id, deleted_at from before)) c);
  elsif tg_table_name = 'competency_list_cohort' then
    lists := array(select list_id from (
      (select program_id, cohort, list_id from before except select program_id, cohort, list_id from after)
      union all (select program_id, cohort, list_id from after except select program_id, cohort, list_id from before)) c);
  elsif tg_table_name = 'participation_level' then
    lists := array(select m.list_id from (
      (select program_id, id, major_study_id, deleted_at, is_counted, lower(name) from before except select program_id, id, major_study_id, deleted_at, is_counted, lower(name) from after)
      union all (select program_id, id, major_study_id, deleted_at, is_counted, lower(name) from after except select program_id, id, major_study_id, deleted_at, is_counted, lower(name) from before)) c
      join major_study m on m.program_id = c.program_id and m.id = c.major_study_id);
  elsif tg_table_name = 'skill' then
    lists := array(select m.list_id from (
      (select program_id, id, major_study_id, deleted_at, lineage, is_mandatory, unlock_count, needs_lab_check from before except select program_id, id, major_study_id, deleted_at, lineage, is_mandatory, unlock_count, needs_lab_check from after)
      union all (select program_id, id, major_study_id, deleted_at, lineage, is_mandatory, unlock_count, needs_lab_check from after except select program_id, id, major_study_id, deleted_at, lineage, is_mandatory, unlock_count, needs_lab_check from before)) c
      join major_study m on m.program_id = c.program_id and m.id = c.major_study_id);
  end if;
  -- A procedure counts in the other versions of its list too, by its lineage and the names of its levels.
  if tg_table_name = 'skill' then
    lists := lists || array(select m.list_id from (
        select a.program_id, unnest(array[a.lineage, b.lineage]) as lineage from before b
        join after a on a.program_id = b.program_id and a.id = b.id and a.lineage <> b.lineage) c
      join skill t on t.program_id = c.program_id and t.lineage = c.lineage
      join major_study m on m.program_id = t.program_id and m.id = t.major_study_id);
  elsif tg_table_name = 'participation_level' then
    lists := lists || array(select m.list_id from before b
      join after a on a.program_id = b.program_id and a.id = b.id and lower(a.name) <> lower(b.name)
      join skill k on k.program_id = a.program_id and k.major_study_id = a.major_study_id
      join skill t on t.program_id = k.program_id and t.lineage = k.lineage
      join major_study m on m.program_id = t.program_id and m.id = t.major_study_id);
  end if;
  if cardinality(lists) > 0 then
    programs := array(select distinct program_id from after);
    call keep_competencies_of_changed(programs, lists);
  end if;
  return null;
end $$;

create trigger keep_added_standing after insert on competency_list referencing new table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_removed_standing after delete on competency_list referencing old table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_updated_standing after update on competency_list referencing old table as before new table as after
  for each statement execute function keep_updated_list_competencies();
create trigger keep_added_standing after insert on major_study referencing new table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_removed_standing after delete on major_study referencing old table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_updated_standing after update on major_study referencing old table as before new table as after
  for each statement execute function keep_updated_list_competencies();
create trigger keep_added_standing after insert on skill referencing new table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_removed_standing after delete on skill referencing old table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_updated_standing after update on skill referencing old table as before new table as after
  for each statement execute function keep_updated_list_competencies();
create trigger keep_added_standing after insert on participation_level referencing new table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_removed_standing after delete on participation_level referencing old table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_updated_standing after update on participation_level referencing old table as before new table as after
  for each statement execute function keep_updated_list_competencies();
create trigger keep_added_standing after insert on skill_participation_level referencing new table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_removed_standing after delete on skill_participation_level referencing old table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_added_standing after insert on competency_list_cohort referencing new table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_removed_standing after delete on competency_list_cohort referencing old table as changed
  for each statement execute function keep_list_competencies();
create trigger keep_updated_standing after update on competency_list_cohort referencing old table as before new table as after
  for each statement execute function keep_updated_list_competencies();

-- Students who come, leave, or get another cohort.
create function keep_student_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select program_id, array_agg(id) as students from changed where access_level = 39 and program_id is not null
    group by 1 order by 1
  loop
    -- Nobody else knows of them yet.
    perform pg_advisory_xact_lock_shared(hashtextextended('competency-lists:' || each.program_id, 0));
    call write_competencies(each.program_id, each.students);
  end loop;
  return null;
end $$;
create trigger keep_added_standing after insert on account referencing new table as changed
  for each statement execute function keep_student_competencies();
create function keep_changed_student_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select p.program_id, array_agg(a.id) as students
    from before b join after a on a.id = b.id
      and (a.program_id, a.access_level, a.deleted_at, a.cohort) is distinct from (b.program_id, b.access_level, b.deleted_at, b.cohort)
    cross join lateral (select distinct unnest(array[a.program_id, b.program_id]) as program_id) p
    where 39 in (a.access_level, b.access_level) and p.program_id is not null
    group by 1 order by 1
  loop
    call keep_competencies(each.program_id, each.students);
  end loop;
  return null;
end $$;
create trigger keep_updated_standing after update on account referencing old table as before new table as after
  for each statement execute function keep_changed_student_competencies();

-- Exams and lab checks.
create function keep_examined_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in select program_id, array_agg(distinct student_id) as students from changed group by 1 order by 1 loop
    call keep_competencies(each.program_id, each.students);
  end loop;
  return null;
end $$;
create trigger keep_added_standing after insert on exam_attempt referencing new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_removed_standing after delete on exam_attempt referencing old table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_added_standing after insert on lab_check referencing new table as changed
  for each statement execute function keep_examined_competencies();
create trigger keep_removed_standing after delete on lab_check referencing old table as changed
  for each statement execute function keep_examined_competencies();
-- Saving the items of an exam as it goes changes nothing of it.
create function keep_reexamined_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select program_id, array_agg(distinct student_id) as students from (
      (select program_id, id, student_id, skill_id, state, is_simulated, recheck_id from before
        except select program_id, id, student_id, skill_id, state, is_simulated, recheck_id from after)
      union all (select program_id, id, student_id, skill_id, state, is_simulated, recheck_id from after
        except select program_id, id, student_id, skill_id, state, is_simulated, recheck_id from before)) changed
    group by 1 order by 1
  loop
    call keep_competencies(each.program_id, each.students);
  end loop;
  return null;
end $$;
create trigger keep_updated_standing after update on exam_attempt referencing old table as before new table as after
  for each statement execute function keep_reexamined_competencies();
create function keep_rechecked_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select program_id, array_agg(distinct student_id) as students from (select * from before union all select * from after) changed
    group by 1 order by 1
  loop
    call keep_competencies(each.program_id, each.students);
  end loop;
  return null;
end $$;
create trigger keep_updated_standing after update on lab_check referencing old table as before new table as after
  for each statement execute function keep_rechecked_competencies();

create function recount_competency_sums(of_program bigint) returns void language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in select id from program where of_program is null or id = of_program order by id loop
    -- Lists do not change meanwhile, and nothing is logged or examined.
    lock table procedure_log, exam_attempt, lab_check in share row exclusive mode;
    perform pg_advisory_xact_lock(hashtextextended('competency-lists:' || each.id, 0));
    call write_competencies(each.id, null);
  end loop;
end $$;

create function wrong_competency_sums(of_program bigint) returns table (name text, keys bigint)
  language sql stable security definer set search_path = public as $$
  select 'competency_standing', count(distinct a.student_id) from (
    (select * from judge_competencies(of_program, null) except select * from competency_standing where program_id = of_program)
    union all
    (select * from competency_standing where program_id = of_program except select * from judge_competencies(of_program, null))) a
$$;

select recount_competency_sums(null);
