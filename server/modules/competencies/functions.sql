call read_across('exam_attempt', 'program_id, id, short_code, state');
call read_across('exam_proof', 'program_id, id, token_hash');
call read_across('exam_signature', 'program_id, attempt_id, dispute_hash');
call read_across('supervision_link', 'program_id, site_id, student_id, token_hash, ended_at');

-- The sums of these students and procedures; of all where none are named.
create or replace function count_procedures(of_program bigint, of_students bigint[], of_skills bigint[]) returns setof procedure_sum
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

-- Both the procedure that an entry was of and the one it is of now. Verifying changes most rows and no count at a site. The counts of a site
-- are everybody's: they come last, one transaction of a program after the other.
create or replace function keep_procedures() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  programs bigint[];
  students bigint[];
  skills bigint[];
  sites procedure_site_week[];
  each record;
begin
  if tg_op = 'INSERT' then
    select array_agg(program_id), array_agg(student_id), array_agg(skill_id) into programs, students, skills
      from (select distinct program_id, student_id, skill_id from changed) c;
    select array_agg(c::procedure_site_week) into sites from (
      select program_id, skill_id, site_id, week_of(date), sum(count)::integer from changed
      where deleted_at is null and state <> 'returned' and site_id is not null group by 1, 2, 3, 4) c;
  else
    select array_agg(program_id), array_agg(student_id), array_agg(skill_id) into programs, students, skills
      from (select program_id, student_id, skill_id from was union select program_id, student_id, skill_id from changed) c;
    select array_agg(c::procedure_site_week) into sites from (
      select program_id, skill_id, site_id, week_of(date), sum(count)::integer from (
        select program_id, skill_id, site_id, date, count, deleted_at, state from changed
        union all select program_id, skill_id, site_id, date, -count, deleted_at, state from was) c
      where deleted_at is null and state <> 'returned' and site_id is not null
      group by 1, 2, 3, 4 having sum(count) <> 0) c;
  end if;
  for each in
    select program_id, array_agg(distinct student_id) as students, array_agg(distinct skill_id) as skills
    from unnest(programs, students, skills) c (program_id, student_id, skill_id) group by program_id order by program_id
  loop
    call keep_procedure_sums(each.program_id, each.students, each.skills);
  end loop;
  if sites is not null then
    perform pg_advisory_xact_lock(hashtextextended('procedure-sites:' || p.program_id, 0))
      from (select distinct s.program_id from unnest(sites) s order by 1) p;
    insert into procedure_site_week as k
      select * from unnest(sites) s order by s.program_id, s.skill_id, s.site_id, s.week
      on conflict (program_id, skill_id, site_id, week) do update set count = k.count + excluded.count;
  end if;
  return null;
end $$;

-- Who has which list: the one of the cohort, or else the one for all others; of all students where none are named.
create or replace function competency_lists_of(of_program bigint, of_students bigint[]) returns table (student_id bigint, list_id bigint)
  language sql stable set search_path = public as $$
  select a.id, l.id
  from account a
  left join competency_list_cohort c on c.program_id = a.program_id and c.cohort = a.cohort
  join competency_list l on l.program_id = a.program_id and l.deleted_at is null
    and (l.id = c.list_id or c.list_id is null and l.is_for_others)
  where a.program_id = of_program and a.access_level = 39 and a.deleted_at is null
    and (of_students is null or a.id = any (of_students))
$$;

create or replace function judge_competencies(of_program bigint, of_students bigint[]) returns setof competency_standing
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
      -- contract/competencies/grid-states.ts has the same rule, and a test compares them.
      case when t.skill_id is null then null
        when x.exam is not null then x.exam
        when coalesce(g.counted, 0) >= t.needed then case when t.needs_lab_check and c.skill_id is null then 'l' else 'r' end
        when coalesce(g.counted, 0) + coalesce(g.waiting, 0) >= t.needed then 'w'
        when coalesce(g.logged, 0) = 0 then 'n'
        else least(9, t.needed - coalesce(g.counted, 0) - coalesce(g.waiting, 0))::text end as code
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
create or replace procedure write_competencies(of_program bigint, of_students bigint[]) language plpgsql set search_path = public as $$
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
create or replace procedure keep_competencies(of_program bigint, of_students bigint[]) language plpgsql set search_path = public as $$
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

-- After a change of lists, about everybody who has one of them. What they did by another list counts by this one. The caller keeps others
-- from changing lists.
create or replace procedure keep_competencies_of_lists(of_program bigint, of_lists bigint[]) language plpgsql set search_path = public as $$
declare
  students bigint[];
  is_linked boolean;
begin
  students := array(
    select s.student_id from competency_standing s where s.program_id = of_program and s.list_id = any (of_lists)
    union select o.student_id from competency_lists_of(of_program, null) o where o.list_id = any (of_lists));
  if cardinality(students) > 0 then
    call link_lists_of_students(of_program, students, is_linked);
    call write_competencies(of_program, students);
  end if;
end $$;

-- Students who come, leave, or get another cohort, and so maybe another list.
create or replace function keep_student_competencies() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  each record;
  is_linked boolean;
begin
  if tg_op = 'INSERT' then
    for each in
      select program_id, array_agg(id) as students from changed where access_level = 39 and program_id is not null
      group by 1 order by 1
    loop
      -- Nobody else knows of them yet.
      perform pg_advisory_xact_lock_shared(hashtextextended('competency-lists:' || each.program_id, 0));
      call write_competencies(each.program_id, each.students);
    end loop;
    return null;
  end if;
  for each in
    select p.program_id, array_agg(a.id) as students, bool_or(a.cohort is distinct from b.cohort) as has_moved
    from was b join changed a on a.id = b.id
      and (a.program_id, a.access_level, a.deleted_at, a.cohort) is distinct from (b.program_id, b.access_level, b.deleted_at, b.cohort)
    cross join lateral (select distinct unnest(array[a.program_id, b.program_id]) as program_id) p
    where 39 in (a.access_level, b.access_level) and p.program_id is not null
    group by 1 order by 1
  loop
    if each.has_moved then
      perform pg_advisory_xact_lock(hashtextextended('competency-lists:' || each.program_id, 0));
      call link_lists_of_students(each.program_id, each.students, is_linked);
      -- What is the same from now on may count for others, too.
      call write_competencies(each.program_id, case when not is_linked then each.students end);
    else
      call keep_competencies(each.program_id, each.students);
    end if;
  end loop;
  return null;
end $$;

-- Exams and lab checks. Saving the items of an exam as it goes changes nothing of it.
create or replace function keep_examined_competencies() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  programs bigint[];
  students bigint[];
  each record;
begin
  if tg_op = 'INSERT' then
    select array_agg(program_id), array_agg(student_id) into programs, students from changed;
  elsif tg_table_name = 'lab_check' then
    select array_agg(program_id), array_agg(student_id) into programs, students
      from (select program_id, student_id from was union select program_id, student_id from changed) c;
  else
    select array_agg(c.program_id), array_agg(c.student_id) into programs, students
      from was w join changed n on n.program_id = w.program_id and n.id = w.id
        and (n.student_id, n.skill_id, n.state, n.is_simulated, n.recheck_id)
          is distinct from (w.student_id, w.skill_id, w.state, w.is_simulated, w.recheck_id)
      cross join lateral (values (w.program_id, w.student_id), (n.program_id, n.student_id)) c (program_id, student_id);
  end if;
  for each in
    select program_id, array_agg(distinct student_id) as students from unnest(programs, students) c (program_id, student_id)
    group by 1 order by 1
  loop
    call keep_competencies(each.program_id, each.students);
  end loop;
  return null;
end $$;

-- Makes procedures the same as others, in all versions. No list has the same one twice: what would do that stays as it is.
create or replace procedure unite_procedures(of_program bigint, from_ids bigint[], to_ids bigint[]) language plpgsql set search_path = public as $$
declare
  each record;
begin
  for each in
    select f.lineage as from_lineage, t.lineage as to_lineage
    from unnest(from_ids, to_ids) as p (from_id, to_id)
    join skill f on f.program_id = of_program and f.id = p.from_id
    join skill t on t.program_id = of_program and t.id = p.to_id
    where f.lineage <> t.lineage order by p.from_id
  loop
    update skill s set lineage = each.to_lineage
    where s.program_id = of_program and s.lineage = each.from_lineage and not exists (
      select from skill a join major_study m on m.program_id = a.program_id and m.id = a.major_study_id
      join major_study n on n.program_id = m.program_id and n.list_id = m.list_id
      join skill b on b.program_id = n.program_id and b.major_study_id = n.id and b.lineage = each.to_lineage and b.deleted_at is null
      where a.program_id = of_program and a.lineage = each.from_lineage and a.deleted_at is null);
  end loop;
end $$;

-- Compares two lists, and makes the same what has one name.
create or replace procedure link_competency_lists(of_program bigint, from_list bigint, to_list bigint) language plpgsql set search_path = public as $$
declare
  apart bigint[];
  from_ids bigint[];
  to_ids bigint[];
begin
  insert into competency_list_link (program_id, one_list_id, other_list_id, is_compared)
    values (of_program, least(from_list, to_list), greatest(from_list, to_list), true)
    on conflict (program_id, one_list_id, other_list_id) do update set is_compared = true;
  select kept_apart into apart from competency_list_link
    where program_id = of_program and one_list_id = least(from_list, to_list) and other_list_id = greatest(from_list, to_list);
  -- Procedures of both lists that are the same ones by their names, of one section first. Whoever is the same as a procedure of the other list
  -- already, or is kept apart, is not asked.
  with listed as materialized (
    select t.id, m.list_id, t.lineage, key.section, key.name
    from major_study m join skill t on t.program_id = m.program_id and t.major_study_id = m.id and t.deleted_at is null
    cross join lateral (select trim(lower(regexp_replace(m.name, '[^[:alnum:]]+', ' ', 'g'))) as section,
      trim(lower(regexp_replace(t.name, '[^[:alnum:]]+', ' ', 'g'))) as name) key
    where m.program_id = of_program and m.list_id in (from_list, to_list) and m.deleted_at is null),
  open as materialized (
    select l.*, count(*) over (partition by l.list_id, l.name) as of_name,
      count(*) over (partition by l.list_id, l.section, l.name) as of_both
    from listed l where l.id <> all (apart) and l.name <> ''
      and not exists (select from listed o where o.list_id <> l.list_id and o.lineage = l.lineage)),
  both_alike as materialized (
    select f.id as from_id, t.id as to_id from open f
    join open t on t.list_id = to_list and t.section = f.section and t.name = f.name and t.of_both = 1
    where f.list_id = from_list and f.of_both = 1)
  select array_agg(p.from_id), array_agg(p.to_id) into from_ids, to_ids from (
    select * from both_alike
    union all
    select f.id, t.id from open f join open t on t.list_id = to_list and t.name = f.name and t.of_name = 1
    where f.list_id = from_list and f.of_name = 1 and f.id not in (select b.from_id from both_alike b)) p;
  if cardinality(from_ids) > 0 then call unite_procedures(of_program, from_ids, to_ids); end if;
end $$;

-- Compares the lists of these students with every list of which they logged, were checked or examined. The caller keeps others
-- from changing lists.
create or replace procedure link_lists_of_students(of_program bigint, of_students bigint[], out is_linked boolean)
  language plpgsql set search_path = public as $$
declare
  each record;
begin
  is_linked := false;
  for each in
    select distinct m.list_id as from_list, o.list_id as to_list
    from (
      select student_id, skill_id from procedure_sum where program_id = of_program and student_id = any (of_students)
      union select student_id, skill_id from exam_attempt
        where program_id = of_program and student_id = any (of_students) and state in ('passed', 'failed')
      union select student_id, skill_id from lab_check
        where program_id = of_program and student_id = any (of_students) and deleted_at is null) e
    join skill k on k.program_id = of_program and k.id = e.skill_id
    join major_study m on m.program_id = of_program and m.id = k.major_study_id
    join competency_lists_of(of_program, of_students) o on o.student_id = e.student_id and o.list_id <> m.list_id
    where not exists (select from competency_list_link l where l.program_id = of_program and l.is_compared
      and l.one_list_id = least(m.list_id, o.list_id) and l.other_list_id = greatest(m.list_id, o.list_id))
    order by 1, 2
  loop
    call link_competency_lists(of_program, each.from_list, each.to_list);
    is_linked := true;
  end loop;
end $$;

-- Procedures that come later in lists that were compared: all but those that were known.
create or replace procedure link_new_procedures(of_program bigint, known bigint[]) language plpgsql set search_path = public as $$
declare
  each record;
begin
  for each in
    select distinct l.one_list_id, l.other_list_id
    from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id
    join competency_list_link l on l.program_id = m.program_id and m.list_id in (l.one_list_id, l.other_list_id)
    where t.program_id = of_program and t.id <> all (known)
    order by 1, 2
  loop
    call link_competency_lists(of_program, each.one_list_id, each.other_list_id);
  end loop;
end $$;
