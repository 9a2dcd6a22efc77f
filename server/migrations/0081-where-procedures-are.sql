-- How many exams a list asks in a term, by which it is known who is behind; and where procedures were logged, by week.
create table competency_term_target (
  program_id bigint not null,
  id bigint generated always as identity,
  list_id bigint not null,
  name text not null check (name <> ''),
  -- Null for every cohort of the list.
  cohort text check (cohort <> ''),
  from_date date not null,
  through_date date not null,
  -- To be passed from the first day through the last.
  exams smallint not null check (exams between 1 and 1000),
  primary key (program_id, id),
  foreign key (program_id, list_id) references competency_list,
  check (from_date <= through_date)
);
create index competency_term_target_list on competency_term_target (program_id, list_id, from_date);
call protect_by_program('competency_term_target');

-- Logs that are not returned, by the Monday of their week. Days without a site are in none.
create table procedure_site_week (
  program_id bigint not null references program,
  skill_id bigint not null,
  site_id bigint not null,
  week date not null,
  count integer not null,
  primary key (program_id, skill_id, site_id, week)
);
call protect_by_program('procedure_site_week');
-- Differences that wait to be folded. Rows are only added, so that writers never wait for each other.
create table procedure_site_change (
  program_id bigint not null references program,
  skill_id bigint not null,
  site_id bigint not null,
  week date not null,
  count integer not null
);
create index procedure_site_change_of on procedure_site_change (program_id, skill_id);
call protect_by_program('procedure_site_change');

create function count_procedure_sites(of_program bigint) returns setof procedure_site_week
  language sql stable set search_path = public as $$
  select program_id, skill_id, site_id, date_trunc('week', date)::date, sum(count)::integer
  from procedure_log where program_id = of_program and deleted_at is null and state <> 'returned' and site_id is not null
  group by 1, 2, 3, 4
$$;

create function keep_procedure_sites() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into procedure_site_change
    select program_id, skill_id, site_id, date_trunc('week', date)::date, sum(count) from after
    where deleted_at is null and state <> 'returned' and site_id is not null group by 1, 2, 3, 4;
  return null;
end $$;
create function forget_procedure_sites() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into procedure_site_change
    select program_id, skill_id, site_id, date_trunc('week', date)::date, -sum(count) from before
    where deleted_at is null and state <> 'returned' and site_id is not null group by 1, 2, 3, 4;
  return null;
end $$;
-- Verifying changes most rows and no count: nothing is added then.
create function move_procedure_sites() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into procedure_site_change
    select program_id, skill_id, site_id, date_trunc('week', date)::date, sum(count) from (
      select program_id, skill_id, site_id, date, count, deleted_at, state from after
      union all select program_id, skill_id, site_id, date, -count, deleted_at, state from before) changed
    where deleted_at is null and state <> 'returned' and site_id is not null
    group by 1, 2, 3, 4 having sum(count) <> 0;
  return null;
end $$;
create trigger keep_added_sites after insert on procedure_log referencing new table as after
  for each statement execute function keep_procedure_sites();
create trigger keep_removed_sites after delete on procedure_log referencing old table as before
  for each statement execute function forget_procedure_sites();
create trigger keep_updated_sites after update on procedure_log referencing old table as before new table as after
  for each statement execute function move_procedure_sites();

-- As owner, over all programs at once; whoever comes while another does it has nothing to do.
create function fold_procedure_sums() returns void language plpgsql security definer set search_path = public as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('procedure sites')) then return; end if;
  with new as (delete from procedure_site_change returning *)
  insert into procedure_site_week as k
    select program_id, skill_id, site_id, week, sum(count) from new group by 1, 2, 3, 4 having sum(count) <> 0
    on conflict (program_id, skill_id, site_id, week) do update set count = k.count + excluded.count;
  delete from procedure_site_week where count = 0;
end $$;

create or replace function recount_procedure_sums(of_program bigint) returns void
  language plpgsql security definer set search_path = public as $$
declare
  each record;
begin
  -- Nobody folds meanwhile.
  perform pg_advisory_xact_lock(hashtext('procedure sites'));
  for each in select id from program where of_program is null or id = of_program order by id loop
    -- Nobody logs meanwhile; the sums are few against what they tell.
    lock table procedure_log in share row exclusive mode;
    call keep_procedure_sums(each.id, null, null);
    delete from procedure_site_change where program_id = each.id;
    delete from procedure_site_week where program_id = each.id;
    insert into procedure_site_week select * from count_procedure_sites(each.id);
  end loop;
end $$;

create or replace function wrong_procedure_sums(of_program bigint) returns table (name text, keys bigint)
  language sql stable security definer set search_path = public as $$
  select 'procedure_sum', count(distinct (a.student_id, a.skill_id)) from (
    (select * from count_procedures(of_program, null, null) except select * from procedure_sum where program_id = of_program)
    union all
    (select * from procedure_sum where program_id = of_program except select * from count_procedures(of_program, null, null))) a
  union all
  select 'procedure_site_week', count(*) from (
    select from (
      select skill_id, site_id, week, count from procedure_site_week where program_id = of_program
      union all select skill_id, site_id, week, count from procedure_site_change where program_id = of_program
      union all select skill_id, site_id, week, -count from count_procedure_sites(of_program)) a
    group by skill_id, site_id, week having sum(count) <> 0) d
$$;

insert into procedure_site_week select s.* from program p cross join lateral count_procedure_sites(p.id) s;
