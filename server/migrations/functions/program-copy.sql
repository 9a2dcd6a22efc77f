-- The copy of a program's data. A file of this folder is applied again whenever it has changed, after the migrations: it holds
-- functions alone, and may be run any number of times.
--
-- One function copies one code of the tree in contract/program-copy.ts. What the destination has under the same name stays as
-- it is and is used as the copy, so that a second run adds nothing. Of several things with one name the first is the copy of
-- the first, the second of the second. copy-whole.test.ts fails for a table or a column that is neither copied nor excused.

-- The rows of the source with their copies in the destination; null where there is none yet. `parents` limits
-- both sides to rows below the same thing. `live` says which rows count.
create or replace function copied_ids(
  of_table regclass, key text, source bigint, destination bigint,
  parent_column text default null, parents id_pair[] default null, live text default 'deleted_at is null'
) returns setof id_pair language plpgsql stable as $$
begin
  if parent_column is null then
    return query execute format('
      with own as (
        select program_id, id, %2$s as key, row_number() over (partition by program_id, %2$s order by id) as nth
        from %1$s where program_id in ($1, $2) and %3$s)
      select s.id, d.id from own s
      left join own d on d.program_id = $2 and d.key = s.key and d.nth = s.nth where s.program_id = $1',
      of_table, key, live) using source, destination;
  else
    return query execute format('
      with own as (
        select true as is_source, t.id, p.to_id as parent, %2$s as key,
          row_number() over (partition by p.to_id, %2$s order by t.id) as nth
        from %1$s t join unnest($3) p on p.from_id = t.%4$I where t.program_id = $1 and %3$s and p.to_id is not null
        union all
        select false, t.id, t.%4$I, %2$s, row_number() over (partition by t.%4$I, %2$s order by t.id)
        from %1$s t where t.program_id = $2 and %3$s and t.%4$I in (select to_id from unnest($3)))
      select s.id, d.id from own s
      left join own d on not d.is_source and d.parent = s.parent and d.key = s.key and d.nth = s.nth where s.is_source',
      of_table, key, live, parent_column) using source, destination, parents;
  end if;
end $$;

-- Student levels are matched by name; a new one keeps its number where that is free, and takes another otherwise.
create or replace function copied_levels(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select s.id::bigint, d.id::bigint from student_level s
  left join student_level d on d.program_id = destination and lower(d.name) = lower(s.name)
  where s.program_id = source
$$;
create or replace function copied_sites(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select m.from_id, coalesce(e.id, m.to_id)
  from copied_ids('site', 'lower(name) || chr(1) || lower(code)', source, destination) m
  join site s on s.program_id = source and s.id = m.from_id
  left join site e on e.program_id = destination and e.external_location_id = s.external_location_id and e.deleted_at is null
$$;
create or replace function copied_templates(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select * from copied_ids('evaluation_template', 'lower(title)', source, destination)
$$;
-- Templates whose parts may be filled in: one that asks something already keeps what it has.
create or replace function copied_empty_templates(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select m.* from copied_templates(source, destination) m
  where m.to_id is not null and not exists (
    select from evaluation_item i where i.program_id = destination and i.template_id = m.to_id and i.deleted_at is null)
$$;
create or replace function copied_lists(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select * from copied_ids('competency_list', 'lower(name)', source, destination)
$$;
create or replace function copied_majors(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select * from copied_ids('major_study', 'lower(name)', source, destination, 'list_id',
    array(select m from copied_lists(source, destination) m))
$$;
create or replace function copied_skills(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select * from copied_ids('skill', 'lower(name)', source, destination, 'major_study_id',
    array(select m from copied_majors(source, destination) m))
$$;


-- How copy_rows learns which row of the destination is the copy of which row of the source.
create or replace function as_reference(pairs id_pair[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(from_id, to_id) filter (where to_id is not null), '{}') from unnest(pairs)
$$;

-- Makes the copies that are missing, with all their columns but what a row is given when it is made and
-- `left_out`. For a column that refers to other rows, `refs` says which rows of the destination are their copies.
create or replace function copy_rows(
  of_table regclass, pairs id_pair[], source bigint, destination bigint, by_account bigint,
  refs jsonb default '{}', order_by text default 'id', left_out text[] default '{}'
) returns bigint language plpgsql as $$
declare
  names text;
  given text;
  made bigint;
begin
  select string_agg(format('%I', a.attname), ', ' order by a.attnum),
    string_agg(case
      when a.attname = 'program_id' then '$2'
      when a.attname in ('created_by', 'updated_by') then '$3'
      when refs ? a.attname then format('(($4 -> %1$L) ->> t.%1$I::text)::bigint', a.attname)
      else format('t.%I', a.attname) end, ', ' order by a.attnum)
    into names, given
    from pg_attribute a
    where a.attrelid = of_table and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
      and a.attname <> all (array['created_at', 'updated_at', 'import_id'] || left_out);
  execute format('insert into %s (%s) select %s from %1$s t where t.program_id = $1 and t.id = any ($5) order by %4$s',
      of_table, names, given, order_by)
    using source, destination, by_account, refs, array(select from_id from unnest(pairs) where to_id is null);
  get diagnostics made = row_count;
  return made;
end $$;

create or replace function copy_sl1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with missing as (
    select s.id, s.name, exists (select from student_level d where d.program_id = destination and d.id = s.id) as is_taken
    from student_level s join copied_levels(source, destination) m on m.from_id = s.id
    where s.program_id = source and m.to_id is null),
  free as (
    select n as id, row_number() over (order by n) as nth from generate_series(1, 20) n
    where n not in (select id from student_level where program_id = destination)
      and n not in (select id from missing where not is_taken)),
  placed as (
    select id, name from missing where not is_taken
    union all
    select f.id, m.name from (select name, row_number() over (order by id) as nth from missing where is_taken) m
    join free f using (nth)),
  made as (insert into student_level (program_id, id, name) select destination, id, name from placed returning id)
  select count(*) from made
$$;

create or replace function copy_ar1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  select copy_rows('area', array(select m from copied_ids('area', 'lower(name)', source, destination) m),
    source, destination, by_account)
$$;

create or replace function copy_op1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    update program d set options = s.options, hours_rules = s.hours_rules, updated_at = now(), updated_by = by_account
    from program s where s.id = source and d.id = destination
      and (d.options, d.hours_rules) <> (s.options, s.hours_rules) returning d.id)
  select count(*) from made
$$;

create or replace function copy_lp1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    update program d set language_profile_id = s.language_profile_id, updated_at = now(), updated_by = by_account
    from program s where s.id = source and d.id = destination
      and d.language_profile_id is distinct from s.language_profile_id returning d.id)
  select count(*) from made
$$;

-- The menu is one thing: the destination has the source's afterwards.
create or replace function copy_mn1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  changed bigint;
  total bigint;
begin
  delete from program_menu_item d where d.program_id = destination and not exists (
    select from program_menu_item s where s.program_id = source and s.menu_item_id = d.menu_item_id);
  get diagnostics total = row_count;
  insert into program_menu_item as d (program_id, menu_item_id, link_order, link_name, title, access_levels, directions, updated_by)
    select destination, menu_item_id, link_order, link_name, title, access_levels, directions, by_account
    from program_menu_item where program_id = source
  on conflict (program_id, menu_item_id) do update set link_order = excluded.link_order, link_name = excluded.link_name,
    title = excluded.title, access_levels = excluded.access_levels, directions = excluded.directions,
    updated_at = now(), updated_by = by_account
    where (d.link_order, d.link_name, d.title, d.access_levels, d.directions)
      is distinct from (excluded.link_order, excluded.link_name, excluded.title, excluded.access_levels, excluded.directions);
  get diagnostics changed = row_count;
  total := total + changed;
  insert into program_menu as d (program_id, version, nodes, updated_by)
    select destination, 1, s.nodes, by_account
    from (select 1) as one left join program_menu s on s.program_id = source
    where s.nodes is not null or exists (select from program_menu where program_id = destination)
  on conflict (program_id) do update set version = d.version + 1, nodes = excluded.nodes, updated_at = now(), updated_by = by_account
    where d.nodes is distinct from excluded.nodes;
  get diagnostics changed = row_count;
  total := total + changed;
  update program d set is_menu_visible = s.is_menu_visible, updated_by = by_account from program s
    where s.id = source and d.id = destination and d.is_menu_visible <> s.is_menu_visible;
  get diagnostics changed = row_count;
  return total + changed;
end $$;

create or replace function copy_do1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  select copy_rows('day_off',
    array(select m from copied_ids('day_off', 'lower(name) || chr(1) || start_date || chr(1) || end_date', source, destination,
      live => 'true') m),
    source, destination, by_account)
$$;

create or replace function copy_rq1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  select copy_rows('requirement', array(select m from copied_ids('requirement', 'lower(name)', source, destination) m),
    source, destination, by_account)
$$;

create or replace function copy_si1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  select copy_rows('site', array(select m from copied_sites(source, destination) m), source, destination, by_account,
    jsonb_build_object('area_id',
      as_reference(array(select a from copied_ids('area', 'lower(name)', source, destination) a))))
$$;

-- Contacts, departments and networks of sites.
create or replace function copy_si2(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  sites id_pair[] := array(select m from copied_sites(source, destination) m);
  refs jsonb := jsonb_build_object('site_id', as_reference(sites));
begin
  return copy_rows('site_contact',
      array(select m from copied_ids('site_contact', 'lower(name)', source, destination, 'site_id', sites, 'true') m),
      source, destination, by_account, refs)
    + copy_rows('site_department',
      array(select m from copied_ids('site_department', 'lower(name)', source, destination, 'site_id', sites, 'true') m),
      source, destination, by_account, refs)
    + copy_rows('site_network',
      array(select m from copied_ids('site_network', 'range::text', source, destination, 'site_id', sites, 'true') m),
      source, destination, by_account, refs);
end $$;

-- Shifts of sites that the destination has.
create or replace function copy_ss1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  sites id_pair[] := array(select m from copied_sites(source, destination) m where m.to_id is not null);
begin
  return copy_rows('site_shift',
    array(select m from copied_ids('site_shift', 'lower(code)', source, destination) m
      join site_shift t on t.program_id = source and t.id = m.from_id
      where t.site_id in (select from_id from unnest(sites))),
    source, destination, by_account, jsonb_build_object('site_id', as_reference(sites)));
end $$;

-- Rotations with the levels and areas they take.
create or replace function copy_ro1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  missing id_pair[] := array(select m from copied_ids('rotation', 'lower(name)', source, destination) m where m.to_id is null);
  total bigint := copy_rows('rotation', missing, source, destination, by_account);
  made id_pair[] := array(select m from copied_ids('rotation', 'lower(name)', source, destination) m
    where m.from_id in (select from_id from unnest(missing)));
begin
  insert into rotation_level (program_id, rotation_id, level_id)
    select destination, m.to_id, l.to_id from rotation_level t join unnest(made) m on m.from_id = t.rotation_id
    join copied_levels(source, destination) l on l.from_id = t.level_id and l.to_id is not null
    where t.program_id = source on conflict do nothing;
  insert into rotation_area (program_id, rotation_id, area_id)
    select destination, m.to_id, a.to_id from rotation_area t join unnest(made) m on m.from_id = t.rotation_id
    join copied_ids('area', 'lower(name)', source, destination) a on a.from_id = t.area_id and a.to_id is not null
    where t.program_id = source on conflict do nothing;
  return total;
end $$;

create or replace function copy_ft1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  select copy_rows('form_type', array(select m from copied_ids('form_type', 'lower(name)', source, destination) m),
    source, destination, by_account)
$$;

-- Evaluation templates with the levels they are for. A copy keeps its rule, switched off: whether a template makes evaluations
-- by itself, from when on and how far it has come, is said of the people and days of one program.
create or replace function copy_et1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  missing id_pair[] := array(select m from copied_templates(source, destination) m where m.to_id is null);
  total bigint := copy_rows('evaluation_template', missing, source, destination, by_account,
    jsonb_build_object('form_type_id',
      as_reference(array(select f from copied_ids('form_type', 'lower(name)', source, destination) f))),
    left_out => '{is_automatic, automatic_from, made_through}');
  made id_pair[] := array(select m from copied_templates(source, destination) m
    where m.from_id in (select from_id from unnest(missing)));
begin
  insert into evaluation_template_level (program_id, template_id, level_id)
    select destination, m.to_id, l.to_id from evaluation_template_level t join unnest(made) m on m.from_id = t.template_id
    join copied_levels(source, destination) l on l.from_id = t.level_id and l.to_id is not null
    where t.program_id = source on conflict do nothing;
  return total;
end $$;

-- Score types of templates with their values; deleted ones too, because items keep using them.
create or replace function copy_et2(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  templates id_pair[] := array(select m from copied_empty_templates(source, destination) m);
  total bigint := copy_rows('score_type',
    array(select m from copied_ids('score_type', 'lower(title)', source, destination, 'template_id', templates, 'true') m),
    source, destination, by_account, jsonb_build_object('template_id', as_reference(templates)));
  types id_pair[] := array(
    select m from copied_ids('score_type', 'lower(title)', source, destination, 'template_id', templates, 'true') m
    where not exists (select from score_value v where v.program_id = destination and v.score_type_id = m.to_id));
begin
  return total + copy_rows('score_value',
    array(select (t.id, null)::id_pair from score_value t where t.program_id = source and t.deleted_at is null
      and t.score_type_id in (select from_id from unnest(types))),
    source, destination, by_account, jsonb_build_object('score_type_id', as_reference(types)), 'position, id');
end $$;

-- Categories, groups and items of templates.
create or replace function copy_et3(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  templates id_pair[] := array(select m from copied_empty_templates(source, destination) m);
  refs jsonb := jsonb_build_object('template_id', as_reference(templates));
  total bigint := copy_rows('evaluation_category',
      array(select m from copied_ids('evaluation_category', 'lower(name)', source, destination, 'template_id', templates) m),
      source, destination, by_account, refs, 'position, id')
    + copy_rows('item_group',
      array(select m from copied_ids('item_group', 'lower(name)', source, destination, 'template_id', templates) m),
      source, destination, by_account, refs);
  categories id_pair[] := array(
    select m from copied_ids('evaluation_category', 'lower(name)', source, destination, 'template_id', templates) m);
  types id_pair[] := array(
    select m from copied_ids('score_type', 'lower(title)', source, destination, 'template_id', templates, 'true') m);
  groups id_pair[] := array(
    select m from copied_ids('item_group', 'lower(name)', source, destination, 'template_id', templates) m);
begin
  return total + copy_rows('evaluation_item',
    array(select (t.id, null)::id_pair from evaluation_item t where t.program_id = source and t.deleted_at is null
      and t.template_id in (select from_id from unnest(templates))
      and t.category_id in (select from_id from unnest(categories))
      and (t.kind = 'fib' or t.score_type_id in (select from_id from unnest(types) where to_id is not null))),
    source, destination, by_account,
    refs || jsonb_build_object('category_id', as_reference(categories), 'score_type_id', as_reference(types),
      'group_id', as_reference(groups)),
    'position, id');
end $$;

create or replace function copy_se1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  select copy_rows('competency_score',
    array(select m from copied_ids('competency_score', 'lower(name)', source, destination) m),
    source, destination, by_account)
$$;

-- Values go to scores that have none: a scale that is there stays whole.
create or replace function copy_se2(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  scores id_pair[] := array(select m from copied_ids('competency_score', 'lower(name)', source, destination) m
    where m.to_id is not null and not exists (
      select from competency_score_value v where v.program_id = destination and v.score_id = m.to_id and v.deleted_at is null));
begin
  return copy_rows('competency_score_value',
    array(select (t.id, null)::id_pair from competency_score_value t where t.program_id = source and t.deleted_at is null
      and t.score_id in (select from_id from unnest(scores))),
    source, destination, by_account, jsonb_build_object('score_id', as_reference(scores)), 'position, id');
end $$;

-- Competency lists and their major studies. Whose list one is, is said of the students of one program; of a program that has
-- none for all students, the copy of that one is.
create or replace function copy_ma1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  total bigint := copy_rows('competency_list', array(select m from copied_lists(source, destination) m),
    source, destination, by_account, left_out => '{is_for_others}');
begin
  update competency_list d set is_for_others = true
  from copied_lists(source, destination) m join competency_list s on s.program_id = source and s.id = m.from_id and s.is_for_others
  where d.program_id = destination and d.id = m.to_id and not exists (
    select from competency_list o where o.program_id = destination and o.is_for_others and o.deleted_at is null);
  return total + copy_rows('major_study', array(select m from copied_majors(source, destination) m),
    source, destination, by_account,
    jsonb_build_object('list_id', as_reference(array(select m from copied_lists(source, destination) m))));
end $$;

create or replace function copy_ma2(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  majors id_pair[] := array(select m from copied_majors(source, destination) m);
begin
  return copy_rows('participation_level',
    array(select m from copied_ids('participation_level', 'lower(name)', source, destination, 'major_study_id', majors) m),
    source, destination, by_account, jsonb_build_object('major_study_id', as_reference(majors)));
end $$;

-- Skills with the participation levels that count for them. A version of a skill that the destination has is another version of
-- that one, so that what its students passed counts for it.
create or replace function copy_ma20(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  majors id_pair[] := array(select m from copied_majors(source, destination) m);
  before id_pair[] := array(select m from copied_skills(source, destination) m);
  total bigint := copy_rows('skill', before, source, destination, by_account,
    jsonb_build_object('major_study_id', as_reference(majors)));
  made id_pair[] := array(select m from copied_skills(source, destination) m
    where m.from_id in (select from_id from unnest(before) where to_id is null));
begin
  update skill d set lineage = k.lineage
  from unnest(made) m join skill s on s.program_id = source and s.id = m.from_id
  join (select distinct on (o.lineage) o.lineage as of_source, e.lineage
    from unnest(before) p join skill o on o.program_id = source and o.id = p.from_id
    join skill e on e.program_id = destination and e.id = p.to_id order by o.lineage, o.id) k on k.of_source = s.lineage
  where d.program_id = destination and d.id = m.to_id;
  insert into skill_participation_level (program_id, skill_id, level_id)
    select destination, m.to_id, l.to_id from skill_participation_level t join unnest(made) m on m.from_id = t.skill_id
    join copied_ids('participation_level', 'lower(name)', source, destination, 'major_study_id', majors) l
      on l.from_id = t.level_id and l.to_id is not null
    where t.program_id = source on conflict do nothing;
  return total;
end $$;

-- Items of comp exams whose score the destination has.
create or replace function copy_co1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  skills id_pair[] := array(select m from copied_skills(source, destination) m);
  scores id_pair[] := array(select m from copied_ids('competency_score', 'lower(name)', source, destination) m
    where m.to_id is not null);
begin
  return copy_rows('comp_exam_item',
    array(select m from copied_ids('comp_exam_item', 'lower(text)', source, destination, 'skill_id', skills) m
      join comp_exam_item t on t.program_id = source and t.id = m.from_id
      where t.score_id in (select from_id from unnest(scores))),
    source, destination, by_account,
    jsonb_build_object('skill_id', as_reference(skills), 'score_id', as_reference(scores), 'default_value_id',
      as_reference(array(select v from copied_ids('competency_score_value', 'lower(label)', source, destination, 'score_id', scores) v))));
end $$;

create or replace function copy_pa1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  skills id_pair[] := array(select m from copied_skills(source, destination) m);
begin
  return copy_rows('pathology',
    array(select m from copied_ids('pathology', 'lower(name)', source, destination, 'skill_id', skills) m),
    source, destination, by_account, jsonb_build_object('skill_id', as_reference(skills)));
end $$;

create or replace function copy_ps1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into pathology_setting as d (program_id, is_asked, allows_other)
    select destination, is_asked, allows_other from pathology_setting where program_id = source
    on conflict (program_id) do update set is_asked = excluded.is_asked, allows_other = excluded.allows_other
      where (d.is_asked, d.allows_other) is distinct from (excluded.is_asked, excluded.allows_other)
    returning d.program_id)
  select count(*) from made
$$;

-- Copies the codes in their order and tells how many rows each wrote. Row-level security shows a call one program at a time,
-- and a copy needs two: it runs as the owner, and for super admins only. Copies into one program wait for each other.
create or replace function copy_program(source bigint, destination bigint, codes text[], by_account bigint)
returns table (code text, copied bigint) language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if current_setting('app.super', true) is distinct from 'on' then
    raise exception 'Only super admins copy programs.' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('program-copy:' || destination, 0));
  foreach code in array codes loop
    execute format('select %I($1, $2, $3)', 'copy_' || code) using source, destination, by_account into copied;
    return next;
  end loop;
end $$;
