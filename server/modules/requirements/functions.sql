call read_across('verification', 'program_id');

-- What a result is on a day. The date decides before the vendor's word; what is valid and ends within 60 days is expiring.
create or replace function verification_state(status text, expires_on date, on_day date) returns text language sql immutable as $$
  select case when status in ('missing', 'waived') then status
    when expires_on < on_day then 'expired'
    when status in ('pending', 'failed') then status
    when expires_on <= on_day + 60 then 'expiring'
    else 'complete' end
$$;

-- What the results of students come to on a day; of all students with results where none are named.
create or replace function judge_verifications(of_program bigint, of_type smallint, on_day date, of_students bigint[])
  returns setof verification_standing language sql stable set search_path = public as $$
  select of_program, of_type, v.student_id, (count(*) filter (where v.state in ('complete', 'expiring', 'waived')))::smallint,
    (count(*) filter (where v.state = 'missing') + case of_type when 1 then 0
      else (select count(*) from verification_named_item i where i.program_id = of_program and i.type = of_type) - count(distinct v.name)
      end)::smallint,
    (count(*) filter (where v.state in ('pending', 'failed')))::smallint, (count(*) filter (where v.state = 'expired'))::smallint,
    (count(*) filter (where v.state = 'expiring'))::smallint,
    (count(*) filter (where v.state = 'expiring' and v.expires_on <= on_day + 30))::smallint,
    (count(*) filter (where v.state = 'expiring' and v.expires_on <= on_day + 7))::smallint,
    min(v.expires_on) filter (where v.expires_on >= on_day and v.state in ('complete', 'expiring'))
  from (
    select v.student_id, v.expires_on, lower(v.item) as name, verification_state(v.status, v.expires_on, on_day) as state
    from verification v
    where v.program_id = of_program and v.type = of_type and v.deleted_at is null
      and (of_students is null or v.student_id = any (of_students))) v
  group by v.student_id
$$;

-- The items as the results have them, or those of these names alone.
create or replace function count_verification_items(of_program bigint, of_type smallint, of_names text[])
  returns setof verification_named_item language sql stable set search_path = public as $$
  select of_program, of_type, n.name, f.item
  from unnest(coalesce(of_names, array(select distinct lower(v.item) from verification v
    where v.program_id = of_program and v.type = of_type and v.deleted_at is null))) n (name)
  cross join lateral (select v.item from verification v
    where v.program_id = of_program and v.type = of_type and lower(v.item) = n.name and v.deleted_at is null
    order by v.id limit 1) f
$$;

-- Keeps what is said about students, or about all of them where none are named.
create or replace procedure keep_verifications(of_program bigint, of_type smallint, of_students bigint[], of_names text[])
  language plpgsql set search_path = public as $$
declare
  today date := (select (now() at time zone time_zone)::date from program where id = of_program);
  items_before text[];
  items_after text[];
begin
  -- One after the other, so that whoever comes later sees what the others have kept.
  perform pg_advisory_xact_lock(hashtext('verifications'), of_program::integer);
  items_before := array(select name || ':' || item from verification_named_item where program_id = of_program and type = of_type order by name);
  delete from verification_named_item where program_id = of_program and type = of_type and (of_names is null or name = any (of_names));
  insert into verification_named_item select * from count_verification_items(of_program, of_type, of_names);
  items_after := array(select name || ':' || item from verification_named_item where program_id = of_program and type = of_type order by name);
  if items_before <> items_after
    or not exists (select from verification_day where program_id = of_program and type = of_type and day = today) then
    of_students := null;
  end if;
  delete from verification_standing where program_id = of_program and type = of_type
    and (of_students is null or student_id = any (of_students));
  insert into verification_standing select * from judge_verifications(of_program, of_type, today, of_students);
  insert into verification_day values (of_program, of_type, today)
    on conflict (program_id, type) do update set day = excluded.day;
end $$;

-- Both what they were about and what they are about now.
create or replace function keep_changed_verifications() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  results verification[];
  each record;
begin
  if tg_op = 'INSERT' then
    select array_agg(c) into results from changed c;
  else
    select array_agg(c) into results from (select * from was union all select * from changed) c;
  end if;
  for each in
    select program_id, type, array_agg(distinct student_id) as students, array_agg(distinct lower(item)) as names
    from unnest(results) group by program_id, type order by program_id, type
  loop
    call keep_verifications(each.program_id, each.type, each.students, each.names);
  end loop;
  return null;
end $$;

create or replace function applies_to(level_ids smallint[], cohorts text[], level smallint, of_cohort text) returns boolean language sql immutable as $$
  select (cardinality(level_ids) = 0 or level = any (level_ids)) and (cardinality(cohorts) = 0 or of_cohort = any (cohorts))
$$;
