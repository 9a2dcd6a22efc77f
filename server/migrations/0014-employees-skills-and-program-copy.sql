-- Employees of sites, who gets copies of letters, the tables of skills and competencies, and the copy of a program's data.

-- People who work at a site and have no account (specification 3 §2, §3).
create table employee (
  program_id bigint not null references program,
  id bigint generated always as identity,
  site_id bigint not null,
  first_name text not null check (first_name <> ''),
  last_name text not null check (last_name <> ''),
  email text not null check (email <> ''),
  dob date,
  -- Names the employee outside the product, where a number could be guessed.
  hash text not null default replace(gen_random_uuid()::text, '-', ''),
  num_sdms text not null default '',
  num_ardms text not null default '',
  num_arrt text not null default '' check (length(num_arrt) <= 8),
  num_cci text not null default '' check (length(num_cci) <= 8),
  num_card_up text not null default '' check (length(num_card_up) <= 8),
  registry_number text not null default '',
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, site_id) references site
);
create index employee_name on employee (program_id, lower(last_name), lower(first_name), id) where deleted_at is null;
create index employee_site on employee (program_id, site_id) where deleted_at is null;
create index employee_import on employee (program_id, import_id) where import_id is not null;
create index employee_search on employee using gin ((first_name || ' ' || last_name || ' ' || email || ' ' || registry_number) gin_trgm_ops)
  where deleted_at is null;
create trigger touch before update on employee for each row execute function touch();
call protect_by_program('employee');

-- Who gets a copy of the letters to the people of an area, or of all areas (specification 3 §2 Notifications).
create table notification_copy (
  program_id bigint not null,
  id bigint generated always as identity,
  account_id bigint not null,
  area_id bigint,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id),
  foreign key (program_id, area_id) references area
);
create unique index notification_copy_once on notification_copy (program_id, account_id, coalesce(area_id, 0));
call protect_by_program('notification_copy');

-- Skills and competencies (product 3.8): what students log, and what a competency exam is graded from.

create table competency_score (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  deleted_at timestamptz,
  primary key (program_id, id)
);
create unique index competency_score_name on competency_score (program_id, lower(name)) where deleted_at is null;
call protect_by_program('competency_score');

create table competency_score_value (
  program_id bigint not null,
  id bigint generated always as identity,
  score_id bigint not null,
  label text not null check (label <> ''),
  value numeric(8, 2),
  position integer not null,
  is_passing boolean not null default true,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, score_id) references competency_score
);
create index competency_score_value_of on competency_score_value (program_id, score_id, position);
call protect_by_program('competency_score_value');

create table major_study (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  position integer not null,
  deleted_at timestamptz,
  primary key (program_id, id)
);
create unique index major_study_name on major_study (program_id, lower(name)) where deleted_at is null;
call protect_by_program('major_study');

create table participation_level (
  program_id bigint not null,
  id bigint generated always as identity,
  major_study_id bigint not null,
  name text not null check (name <> ''),
  position integer not null,
  -- Whether a procedure at this level counts towards what a competency exam asks for.
  is_counted boolean not null default true,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, major_study_id) references major_study
);
create unique index participation_level_name on participation_level (program_id, major_study_id, lower(name)) where deleted_at is null;
call protect_by_program('participation_level');

create table skill (
  program_id bigint not null,
  id bigint generated always as identity,
  major_study_id bigint not null,
  name text not null check (name <> ''),
  position integer not null,
  is_mandatory boolean not null default false,
  -- Procedures that are logged before the competency exam unlocks.
  unlock_count integer not null default 0 check (unlock_count between 0 and 10000),
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, major_study_id) references major_study
);
create unique index skill_name on skill (program_id, major_study_id, lower(name)) where deleted_at is null;
call protect_by_program('skill');

create table comp_exam_item (
  program_id bigint not null,
  id bigint generated always as identity,
  skill_id bigint not null,
  text text not null check (text <> ''),
  score_id bigint not null,
  position integer not null,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, skill_id) references skill,
  foreign key (program_id, score_id) references competency_score
);
create index comp_exam_item_skill on comp_exam_item (program_id, skill_id, position) where deleted_at is null;
call protect_by_program('comp_exam_item');

create table pathology (
  program_id bigint not null,
  id bigint generated always as identity,
  skill_id bigint not null,
  name text not null check (name <> ''),
  position integer not null,
  deleted_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, skill_id) references skill
);
create unique index pathology_name on pathology (program_id, skill_id, lower(name)) where deleted_at is null;
call protect_by_program('pathology');

-- Whether a student who logs a procedure names the pathology, and whether one outside the list may be written.
create table pathology_setting (
  program_id bigint primary key references program,
  is_asked text not null default 'optional' check (is_asked in ('off', 'optional', 'required')),
  allows_other boolean not null default true
);
call protect_by_program('pathology_setting');

-- The copy of a program's data (specification 3 §2). One function copies one code of the tree in contract/program-copy.ts,
-- with one statement a table. What the destination has under the same name stays as it is and takes the copy's place, so that
-- a second run adds nothing. Of several things with one name the first stands for the first, the second for the second.

create type id_pair as (from_id bigint, to_id bigint);

-- The rows of the source with the rows that stand for them in the destination; null where there is none yet. `parents` limits
-- both sides to rows below the same thing. `live` says which rows count.
create function copied_ids(
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

-- Student levels stand for each other by name; a new one keeps its number where that is free, and takes another otherwise.
create function copied_levels(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select s.id::bigint, d.id::bigint from student_level s
  left join student_level d on d.program_id = destination and lower(d.name) = lower(s.name)
  where s.program_id = source
$$;
create function copied_sites(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select m.from_id, coalesce(e.id, m.to_id)
  from copied_ids('site', 'lower(name) || chr(1) || lower(code)', source, destination) m
  join site s on s.program_id = source and s.id = m.from_id
  left join site e on e.program_id = destination and e.external_location_id = s.external_location_id and e.deleted_at is null
$$;
create function copied_templates(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select * from copied_ids('evaluation_template', 'lower(title)', source, destination)
$$;
-- Templates whose parts may be filled in: one that asks something already keeps what it has.
create function copied_empty_templates(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select m.* from copied_templates(source, destination) m
  where m.to_id is not null and not exists (
    select from evaluation_item i where i.program_id = destination and i.template_id = m.to_id and i.deleted_at is null)
$$;
create function copied_majors(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select * from copied_ids('major_study', 'lower(name)', source, destination)
$$;
create function copied_skills(source bigint, destination bigint) returns setof id_pair language sql stable as $$
  select * from copied_ids('skill', 'lower(name)', source, destination, 'major_study_id',
    array(select m from copied_majors(source, destination) m))
$$;

create function copy_sl1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
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

create function copy_ar1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into area (program_id, name, is_active, are_notifications_enabled, created_by, updated_by)
    select destination, t.name, t.is_active, t.are_notifications_enabled, by_account, by_account
    from area t join copied_ids('area', 'lower(name)', source, destination) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

create function copy_op1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    update program d set options = s.options, updated_at = now(), updated_by = by_account
    from program s where s.id = source and d.id = destination and d.options <> s.options returning d.id)
  select count(*) from made
$$;

create function copy_lp1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    update program d set language_profile_id = s.language_profile_id, updated_at = now(), updated_by = by_account
    from program s where s.id = source and d.id = destination
      and d.language_profile_id is distinct from s.language_profile_id returning d.id)
  select count(*) from made
$$;

-- The menu is one thing: the destination has the source's afterwards.
create function copy_mn1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
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

create function copy_do1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into day_off (program_id, name, start_date, end_date)
    select destination, t.name, t.start_date, t.end_date
    from day_off t
    join copied_ids('day_off', 'lower(name) || chr(1) || start_date || chr(1) || end_date', source, destination,
      live => 'true') m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

create function copy_rq1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into requirement (program_id, name, blocks_placement)
    select destination, t.name, t.blocks_placement
    from requirement t join copied_ids('requirement', 'lower(name)', source, destination) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

create function copy_si1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into site (program_id, area_id, name, contract_name, code, type, address, city, state, zip, phone, website, county,
      beds, capacity, latitude, longitude, precision_m, time_zone, is_dst, allow_overnight, allow_multiclock,
      reject_inaccurate_pins, reject_accuracy_m, lab, forbid_cs_logclock_editing, reminders, external_location_id, notes,
      is_active, created_by, updated_by)
    select destination, a.to_id, t.name, t.contract_name, t.code, t.type, t.address, t.city, t.state, t.zip, t.phone, t.website,
      t.county, t.beds, t.capacity, t.latitude, t.longitude, t.precision_m, t.time_zone, t.is_dst, t.allow_overnight,
      t.allow_multiclock, t.reject_inaccurate_pins, t.reject_accuracy_m, t.lab, t.forbid_cs_logclock_editing, t.reminders,
      t.external_location_id, t.notes, t.is_active, by_account, by_account
    from site t join copied_sites(source, destination) m on m.from_id = t.id
    left join copied_ids('area', 'lower(name)', source, destination) a on a.from_id = t.area_id
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

-- Contacts, departments and networks of sites.
create function copy_si2(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  sites id_pair[] := array(select m from copied_sites(source, destination) m);
  total bigint;
  more bigint;
begin
  insert into site_contact (program_id, site_id, name, role, email, phone)
    select destination, s.to_id, t.name, t.role, t.email, t.phone
    from site_contact t join unnest(sites) s on s.from_id = t.site_id
    join copied_ids('site_contact', 'lower(name)', source, destination, 'site_id', sites, 'true') m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics total = row_count;
  insert into site_department (program_id, site_id, name)
    select destination, s.to_id, t.name
    from site_department t join unnest(sites) s on s.from_id = t.site_id
    join copied_ids('site_department', 'lower(name)', source, destination, 'site_id', sites, 'true') m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics more = row_count;
  total := total + more;
  insert into site_network (program_id, site_id, name, range)
    select destination, s.to_id, t.name, t.range
    from site_network t join unnest(sites) s on s.from_id = t.site_id
    join copied_ids('site_network', 'range::text', source, destination, 'site_id', sites, 'true') m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics more = row_count;
  return total + more;
end $$;

create function copy_ss1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into site_shift (program_id, site_id, code, name, type, weekdays, start_time, end_time, capacity, start_date,
      end_date, created_by, updated_by)
    select destination, s.to_id, t.code, t.name, t.type, t.weekdays, t.start_time, t.end_time, t.capacity, t.start_date,
      t.end_date, by_account, by_account
    from site_shift t join copied_ids('site_shift', 'lower(code)', source, destination) m on m.from_id = t.id
    join copied_sites(source, destination) s on s.from_id = t.site_id and s.to_id is not null
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

-- Rotations with the levels and areas they take.
create function copy_ro1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  missing bigint[] := array(select from_id from copied_ids('rotation', 'lower(name)', source, destination) where to_id is null);
  made id_pair[];
begin
  insert into rotation (program_id, name, start_date, end_date, target_minutes, cohorts, notes, created_by, updated_by)
    select destination, name, start_date, end_date, target_minutes, cohorts, notes, by_account, by_account
    from rotation where program_id = source and id = any (missing) order by id;
  made := array(select m from copied_ids('rotation', 'lower(name)', source, destination) m where m.from_id = any (missing));
  insert into rotation_level (program_id, rotation_id, level_id)
    select destination, m.to_id, l.to_id from rotation_level t join unnest(made) m on m.from_id = t.rotation_id
    join copied_levels(source, destination) l on l.from_id = t.level_id and l.to_id is not null
    where t.program_id = source on conflict do nothing;
  insert into rotation_area (program_id, rotation_id, area_id)
    select destination, m.to_id, a.to_id from rotation_area t join unnest(made) m on m.from_id = t.rotation_id
    join copied_ids('area', 'lower(name)', source, destination) a on a.from_id = t.area_id and a.to_id is not null
    where t.program_id = source on conflict do nothing;
  return cardinality(made);
end $$;

create function copy_ft1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into form_type (program_id, name, view_on_form)
    select destination, t.name, t.view_on_form
    from form_type t join copied_ids('form_type', 'lower(name)', source, destination) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

-- Evaluation templates with the levels they are for.
create function copy_et1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  missing bigint[] := array(select from_id from copied_templates(source, destination) where to_id is null);
  made id_pair[];
begin
  insert into evaluation_template (program_id, title, form_type_id, evaluator_role, subject_role, instructions, is_anonymous,
      due_rule, due_days, due_date, is_active, is_shown_to_subject, created_by, updated_by)
    select destination, t.title, f.to_id, t.evaluator_role, t.subject_role, t.instructions, t.is_anonymous, t.due_rule,
      t.due_days, t.due_date, t.is_active, t.is_shown_to_subject, by_account, by_account
    from evaluation_template t
    left join copied_ids('form_type', 'lower(name)', source, destination) f on f.from_id = t.form_type_id
    where t.program_id = source and t.id = any (missing) order by t.id;
  made := array(select m from copied_templates(source, destination) m where m.from_id = any (missing));
  insert into evaluation_template_level (program_id, template_id, level_id)
    select destination, m.to_id, l.to_id from evaluation_template_level t join unnest(made) m on m.from_id = t.template_id
    join copied_levels(source, destination) l on l.from_id = t.level_id and l.to_id is not null
    where t.program_id = source on conflict do nothing;
  return cardinality(made);
end $$;

-- Score types of templates with their values; deleted ones too, because items keep using them.
create function copy_et2(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  templates id_pair[] := array(select m from copied_empty_templates(source, destination) m);
  types id_pair[];
  total bigint;
  more bigint;
begin
  insert into score_type (program_id, template_id, title, deleted_at, purged_at)
    select destination, p.to_id, t.title, t.deleted_at, t.purged_at
    from score_type t join unnest(templates) p on p.from_id = t.template_id
    join copied_ids('score_type', 'lower(title)', source, destination, 'template_id', templates, 'true') m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics total = row_count;
  types := array(select m from copied_ids('score_type', 'lower(title)', source, destination, 'template_id', templates, 'true') m
    where not exists (select from score_value v where v.program_id = destination and v.score_type_id = m.to_id));
  insert into score_value (program_id, score_type_id, label, value, position, is_not_applicable, needs_comment)
    select destination, m.to_id, t.label, t.value, t.position, t.is_not_applicable, t.needs_comment
    from score_value t join unnest(types) m on m.from_id = t.score_type_id
    where t.program_id = source and t.deleted_at is null order by t.position, t.id;
  get diagnostics more = row_count;
  return total + more;
end $$;

-- Categories, groups and items of templates.
create function copy_et3(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  templates id_pair[] := array(select m from copied_empty_templates(source, destination) m);
  total bigint;
  more bigint;
begin
  insert into evaluation_category (program_id, template_id, name, position)
    select destination, p.to_id, t.name, t.position
    from evaluation_category t join unnest(templates) p on p.from_id = t.template_id
    join copied_ids('evaluation_category', 'lower(name)', source, destination, 'template_id', templates) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.position, t.id;
  get diagnostics total = row_count;
  insert into item_group (program_id, template_id, name, is_mandatory)
    select destination, p.to_id, t.name, t.is_mandatory
    from item_group t join unnest(templates) p on p.from_id = t.template_id
    join copied_ids('item_group', 'lower(name)', source, destination, 'template_id', templates) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics more = row_count;
  total := total + more;
  insert into evaluation_item (program_id, template_id, category_id, kind, position, text, score_type_id, group_id, input_type,
      choices, is_mandatory)
    select destination, p.to_id, c.to_id, t.kind, t.position, t.text, s.to_id, g.to_id, t.input_type, t.choices, t.is_mandatory
    from evaluation_item t join unnest(templates) p on p.from_id = t.template_id
    join copied_ids('evaluation_category', 'lower(name)', source, destination, 'template_id', templates) c
      on c.from_id = t.category_id
    left join copied_ids('score_type', 'lower(title)', source, destination, 'template_id', templates, 'true') s
      on s.from_id = t.score_type_id
    left join copied_ids('item_group', 'lower(name)', source, destination, 'template_id', templates) g on g.from_id = t.group_id
    where t.program_id = source and t.deleted_at is null and (t.kind = 'fib' or s.to_id is not null) order by t.position, t.id;
  get diagnostics more = row_count;
  return total + more;
end $$;

create function copy_se1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into competency_score (program_id, name)
    select destination, t.name
    from competency_score t join copied_ids('competency_score', 'lower(name)', source, destination) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

-- Values go to scores that have none: a scale that is there stays whole.
create function copy_se2(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into competency_score_value (program_id, score_id, label, value, position, is_passing)
    select destination, m.to_id, t.label, t.value, t.position, t.is_passing
    from competency_score_value t
    join copied_ids('competency_score', 'lower(name)', source, destination) m on m.from_id = t.score_id
    where t.program_id = source and t.deleted_at is null and m.to_id is not null and not exists (
      select from competency_score_value v where v.program_id = destination and v.score_id = m.to_id and v.deleted_at is null)
    order by t.position, t.id returning id)
  select count(*) from made
$$;

create function copy_ma1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
  with made as (
    insert into major_study (program_id, name, position)
    select destination, t.name, t.position
    from major_study t join copied_majors(source, destination) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id returning id)
  select count(*) from made
$$;

create function copy_ma2(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  majors id_pair[] := array(select m from copied_majors(source, destination) m);
  total bigint;
begin
  insert into participation_level (program_id, major_study_id, name, position, is_counted)
    select destination, p.to_id, t.name, t.position, t.is_counted
    from participation_level t join unnest(majors) p on p.from_id = t.major_study_id
    join copied_ids('participation_level', 'lower(name)', source, destination, 'major_study_id', majors) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics total = row_count;
  return total;
end $$;

create function copy_ma20(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  total bigint;
begin
  insert into skill (program_id, major_study_id, name, position, is_mandatory, unlock_count)
    select destination, p.to_id, t.name, t.position, t.is_mandatory, t.unlock_count
    from skill t join copied_majors(source, destination) p on p.from_id = t.major_study_id
    join copied_skills(source, destination) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics total = row_count;
  return total;
end $$;

create function copy_co1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  skills id_pair[] := array(select m from copied_skills(source, destination) m);
  total bigint;
begin
  insert into comp_exam_item (program_id, skill_id, text, score_id, position)
    select destination, p.to_id, t.text, s.to_id, t.position
    from comp_exam_item t join unnest(skills) p on p.from_id = t.skill_id
    join copied_ids('comp_exam_item', 'lower(text)', source, destination, 'skill_id', skills) m on m.from_id = t.id
    join copied_ids('competency_score', 'lower(name)', source, destination) s on s.from_id = t.score_id and s.to_id is not null
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics total = row_count;
  return total;
end $$;

create function copy_pa1(source bigint, destination bigint, by_account bigint) returns bigint language plpgsql as $$
declare
  skills id_pair[] := array(select m from copied_skills(source, destination) m);
  total bigint;
begin
  insert into pathology (program_id, skill_id, name, position)
    select destination, p.to_id, t.name, t.position
    from pathology t join unnest(skills) p on p.from_id = t.skill_id
    join copied_ids('pathology', 'lower(name)', source, destination, 'skill_id', skills) m on m.from_id = t.id
    where t.program_id = source and m.to_id is null order by t.id;
  get diagnostics total = row_count;
  return total;
end $$;

create function copy_ps1(source bigint, destination bigint, by_account bigint) returns bigint language sql as $$
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
create function copy_program(source bigint, destination bigint, codes text[], by_account bigint)
returns table (code text, copied bigint) language plpgsql security definer set search_path = public as $$
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

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (29, 2, 'colleges', '/new/admin/program-copy', 80, 'Copy {program} data', true, 1),
  (39, 3, 'people', '/new/admin/employees', 50, 'Employees', true, 1),
  (99, 9, 'settings', '/new/admin/notifications', 25, 'E-mail notifications', true, 1);
