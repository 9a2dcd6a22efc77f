-- A student who gets another competency list keeps what they passed: a procedure of the former list is the same one as that of the
-- new list which has its section and name, or its name alone where no other has it. Sameness is `skill.lineage`.

-- Two lists whose procedures are compared with each other.
create table competency_list_link (
  program_id bigint not null references program,
  one_list_id bigint not null,
  other_list_id bigint not null,
  -- Procedures of either list of which somebody said that they are none of the other.
  kept_apart bigint[] not null default '{}',
  -- It was done. Giving one of them to other students has it done again.
  is_compared boolean not null default false,
  primary key (program_id, one_list_id, other_list_id),
  foreign key (program_id, one_list_id) references competency_list,
  foreign key (program_id, other_list_id) references competency_list,
  check (one_list_id < other_list_id)
);
create index competency_list_link_other on competency_list_link (program_id, other_list_id);
call protect_by_program('competency_list_link');

-- A list that was given to students, with what it takes to undo that.
create table competency_list_move (
  program_id bigint not null references program,
  id bigint generated always as identity,
  list_id bigint not null,
  students integer not null,
  -- Cohorts by name with the list that each had, null for none of its own; and the list of all others.
  cohorts jsonb not null,
  others_list_id bigint,
  -- Procedures that became the same as another one, by id, with the lineage that each had.
  lineages jsonb not null default '{}',
  moved_at timestamptz not null default now(),
  moved_by bigint,
  undone_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, list_id) references competency_list
);
create index competency_list_move_list on competency_list_move (program_id, list_id);
call protect_by_program('competency_list_move');

create function procedure_name_key(name text) returns text language sql immutable parallel safe as $$
  select trim(lower(regexp_replace(name, '[^[:alnum:]]+', ' ', 'g')))
$$;

-- Procedures of two lists that are the same ones by their names. Whoever is the same as a procedure of the other list already,
-- or is kept apart, is not asked.
create function procedures_of_one_name(of_program bigint, from_list bigint, to_list bigint, apart bigint[])
  returns table (from_id bigint, to_id bigint) language sql stable set search_path = public as $$
  with listed as materialized (
    select t.id, m.list_id, t.lineage, procedure_name_key(m.name) as section, procedure_name_key(t.name) as name
    from major_study m join skill t on t.program_id = m.program_id and t.major_study_id = m.id and t.deleted_at is null
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
  select * from both_alike
  union all
  select f.id, t.id from open f join open t on t.list_id = to_list and t.name = f.name and t.of_name = 1
  where f.list_id = from_list and f.of_name = 1 and f.id not in (select b.from_id from both_alike b)
$$;

-- Makes procedures the same as others, in all versions. No list has the same one twice: what would do that stays as it is.
create procedure unite_procedures(of_program bigint, from_ids bigint[], to_ids bigint[]) language plpgsql set search_path = public as $$
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
create procedure link_competency_lists(of_program bigint, from_list bigint, to_list bigint) language plpgsql set search_path = public as $$
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
  select array_agg(p.from_id), array_agg(p.to_id) into from_ids, to_ids
    from procedures_of_one_name(of_program, from_list, to_list, apart) p;
  if cardinality(from_ids) > 0 then call unite_procedures(of_program, from_ids, to_ids); end if;
end $$;

-- Compares the lists of these students with every list of which they logged, were checked or examined. The caller keeps others
-- from changing lists.
create procedure link_lists_of_students(of_program bigint, of_students bigint[]) language plpgsql set search_path = public as $$
declare
  each record;
begin
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
  end loop;
end $$;

-- After a change of lists, about everybody who has one of them. What they did by another list counts by this one.
create or replace procedure keep_competencies_of_lists(of_program bigint, of_lists bigint[]) language plpgsql set search_path = public as $$
declare
  students bigint[];
  each record;
begin
  perform pg_advisory_xact_lock(hashtextextended('competency-lists:' || of_program, 0));
  students := array(
    select s.student_id from competency_standing s where s.program_id = of_program and s.list_id = any (of_lists)
    union select o.student_id from competency_lists_of(of_program, null) o where o.list_id = any (of_lists));
  if cardinality(students) > 0 then
    call link_lists_of_students(of_program, students);
    call write_competencies(of_program, students);
  end if;
end $$;

-- Procedures that come later, or get another name, in lists that were compared.
create function link_changed_procedures() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select distinct l.program_id, l.one_list_id, l.other_list_id
    from changed c join major_study m on m.program_id = c.program_id and m.id = c.major_study_id
    join competency_list_link l on l.program_id = m.program_id and m.list_id in (l.one_list_id, l.other_list_id)
    order by 1, 2, 3
  loop
    perform pg_advisory_xact_lock(hashtextextended('competency-lists:' || each.program_id, 0));
    call link_competency_lists(each.program_id, each.one_list_id, each.other_list_id);
  end loop;
  return null;
end $$;
create trigger link_added after insert on skill referencing new table as changed
  for each statement execute function link_changed_procedures();

-- Students who get another cohort may get another list by it.
create or replace function keep_changed_student_competencies() returns trigger language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  for each in
    select p.program_id, array_agg(a.id) as students, bool_or(a.cohort is distinct from b.cohort) as has_moved
    from before b join after a on a.id = b.id
      and (a.program_id, a.access_level, a.deleted_at, a.cohort) is distinct from (b.program_id, b.access_level, b.deleted_at, b.cohort)
    cross join lateral (select distinct unnest(array[a.program_id, b.program_id]) as program_id) p
    where 39 in (a.access_level, b.access_level) and p.program_id is not null
    group by 1 order by 1
  loop
    if each.has_moved then
      perform pg_advisory_xact_lock(hashtextextended('competency-lists:' || each.program_id, 0));
      call link_lists_of_students(each.program_id, each.students);
      call write_competencies(each.program_id, each.students);
    else
      call keep_competencies(each.program_id, each.students);
    end if;
  end loop;
  return null;
end $$;

-- Students who were given another list before: what they passed by the former one counts again where the names say so.
do $$
declare
  each record;
begin
  for each in select p.id, array(select s.student_id from competency_standing s where s.program_id = p.id) as students from program p order by p.id loop
    if cardinality(each.students) > 0 then call link_lists_of_students(each.id, each.students); end if;
  end loop;
end $$;
