call read_across('student_level', 'program_id, id, name');
call read_across('account', 'id, program_id, user_name, email, reset_email, is_email_confirmed, access_level, super_admin_areas, first_name, last_name, student_number,
  student_level_id, cohort, preferences, language, browser_language, is_demo, test_mode, frozen_at, deactivated_at, deleted_at');
call read_across('account_seen', 'account_id, program_id, last_seen_at');
call read_across('employment', 'program_id');

create or replace function keep_seen() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into account_seen as s (account_id, program_id, last_seen_at)
    select a.id, a.program_id, new.last_seen_at from account a where a.id = new.account_id
  on conflict (account_id) do update set last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at),
    program_id = excluded.program_id;
  return null;
end $$;

create or replace function keep_counts_through() returns trigger language plpgsql as $$
declare
  counts boolean := new.access_level = 39 and new.deactivated_at is null and new.deleted_at is null;
  counted boolean := coalesce(old.access_level = 39 and old.deactivated_at is null and old.deleted_at is null, false);
begin
  if new.deactivated_at is not null or new.deleted_at is not null then
    new.leaves_on := null;
  end if;
  if counts then
    new.counts_through := coalesce(new.leaves_on, 'infinity');
  elsif counted then
    new.counts_through := least(new.counts_through,
      (select (now() at time zone p.time_zone)::date from program p where p.id = old.program_id));
  end if;
  return new;
end $$;

-- Takes a person off every shift after the last day, also one to come, out of waiting lists and swaps of these days, and stops their
-- open evaluations once access ends. The counters, sums and notices follow the rows, as when it is done by hand.
create or replace function free_future() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  has_left boolean := coalesce(new.counts_through < old.counts_through, false);
  is_closed boolean := (old.deactivated_at is null and old.deleted_at is null)
    and not (new.deactivated_at is null and new.deleted_at is null);
  is_further boolean := old.leaves_on is not null and (new.leaves_on is not null or is_closed);
  today date := (select (now() at time zone p.time_zone)::date from program p where p.id = new.program_id);
  freed bigint[] := '{}';
  stopped bigint[] := '{}';
begin
  update leaving l set over_at = now()
    where l.program_id = new.program_id and l.account_id = new.id and l.over_at is null and not is_further
      and (has_left or is_closed or new.deactivated_at is null);
  if has_left then
    -- In the order in which everybody locks the days.
    perform from shift_day d
      where d.program_id = new.program_id and (d.site_shift_id, d.date) in (
        select a.site_shift_id, a.date from shift_assignment a
        where a.program_id = new.program_id and a.student_id = new.id and a.removed_at is null and a.date > new.counts_through)
      order by d.site_shift_id, d.date for no key update;
    with gone as (
      update shift_assignment a set removed_at = now(), removed_by = current_account()
      where a.program_id = new.program_id and a.student_id = new.id and a.removed_at is null and a.date > new.counts_through
      returning a.id)
    select coalesce(array_agg(g.id order by g.id), '{}') into freed from gone g;
    with ended as (
      update open_shift_signup s set state = 'ended', ended_as = 'left', ended_at = now()
      from open_shift o
      where s.program_id = new.program_id and s.student_id = new.id and s.state = 'waiting'
        and o.program_id = s.program_id and o.id = s.open_shift_id and (o.date > new.counts_through or new.leaves_on is null)
      returning s.open_shift_id)
    update open_shift o set waiting = o.waiting - e.ended
      from (select open_shift_id, count(*) as ended from ended group by 1 order by 1) e
      where o.program_id = new.program_id and o.id = e.open_shift_id;
    delete from shift_request_person p
      using shift_request x, shift_assignment a
      where p.program_id = new.program_id and p.student_id = new.id and p.answer in ('asked', 'proposed')
        and x.program_id = p.program_id and x.id = p.change_id and x.state = 'open'
        and a.program_id = x.program_id and a.id = x.assignment_id
        and (a.date > new.counts_through or p.assignment_id = any (freed) or new.leaves_on is null);
    -- A shift that they were to take goes back to whoever offered it.
    with ended as (
      update shift_request x set state = 'failed', decided_at = now(), reason = 'The student who was to take the shift has left.'
      from shift_assignment a
      where x.program_id = new.program_id and x.taker_id = new.id and x.state = 'pending'
        and a.program_id = x.program_id and a.id = x.assignment_id
        and (a.date > new.counts_through or x.returned_id = any (freed) or new.leaves_on is null)
      returning x.id, x.kind, x.student_id, x.line),
    noted as (
      insert into shift_request_event (program_id, change_id, actor, action, detail)
      select new.program_id, e.id, '', 'failed', 'The student who was to take the shift has left.' from ended e),
    unlinked as (
      update scoped_link l set withdrawn_at = now()
      from ended e join shift_request_site s on s.program_id = new.program_id and s.change_id = e.id
      where l.program_id = new.program_id and l.kind = 'swap' and l.subject_id = s.id and l.withdrawn_at is null)
    insert into notification (program_id, account_id, kind, text, link)
      select new.program_id, e.student_id, 'schedule', 'Nothing came of the ' || e.kind
        || ': the student who was to take the shift has left. You still have it: ' || e.line, '/new/swaps?show=own'
      from ended e;
  end if;
  -- Whoever no longer counts is not at risk; who comes back is counted by whoever looks next.
  if is_closed or (has_left and new.leaves_on is null) then
    delete from student_progress p where p.program_id = new.program_id and p.student_id = new.id;
  end if;
  if is_closed then
    with ended as (
      update evaluation e set stopped_at = now(), stopped_by = current_account()
      where e.program_id = new.program_id and not e.is_completed and e.stopped_at is null and e.deleted_at is null
        and (e.evaluator_id = new.id or e.subject_id = new.id or e.student_id = new.id)
      returning e.id)
    select coalesce(array_agg(e.id order by e.id), '{}') into stopped from ended e;
  end if;
  if has_left or is_closed or (new.leaves_on is not null and new.leaves_on is distinct from old.leaves_on) then
    insert into leaving (program_id, account_id, last_day, freed_ids, stopped_ids, made_by)
      values (new.program_id, new.id,
        coalesce(new.leaves_on, case when has_left then new.counts_through end,
          case when old.leaves_on is not null then least(old.leaves_on, today) end, nullif(new.counts_through, 'infinity'), today),
        freed, stopped, current_account());
  end if;
  return null;
end $$;

-- Gives what belongs to one person to another: of each kind of row how many, and how many cannot be the other's and stay.
create or replace function merge_rows(of_program bigint, giver bigint, taker bigint, of_merge bigint)
  returns table (relation text, given integer, left_over integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  place person_reference;
  key_columns text[];
  every jsonb[];
  now_theirs jsonb[];
  one jsonb;
begin
  if of_program is distinct from current_program() then
    raise exception 'not this program';
  end if;
  for place in select * from person_reference r order by 1, 2 loop
    select array_agg(a.attname::text) into key_columns
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
      where i.indrelid = place.relation::regclass and i.indisprimary;
    execute format('select array_agg((select jsonb_object_agg(k, to_jsonb(t) -> k) from unnest($3) k)) from %I t
      where t.program_id = $1 and t.%I = $2', place.relation, place.of_column)
      into every using of_program, giver, key_columns;
    continue when every is null;
    now_theirs := every;
    if not give_rows(place.relation, place.of_column, of_program, giver, taker, null) then
      now_theirs := '{}';
      foreach one in array every loop
        if give_rows(place.relation, place.of_column, of_program, giver, taker, one) then
          now_theirs := now_theirs || one;
        end if;
      end loop;
    end if;
    insert into account_merge_row
      select of_program, of_merge, place.relation, place.of_column,
        case when place.of_column = any (key_columns) then k || jsonb_build_object(place.of_column, taker) else k end
      from unnest(now_theirs) k;
    relation := place.relation;
    given := cardinality(now_theirs);
    left_over := cardinality(every) - given;
    return next;
  end loop;
end $$;
revoke execute on function merge_rows(bigint,bigint,bigint,bigint) from public;
grant execute on function merge_rows(bigint,bigint,bigint,bigint) to app;

-- Of each kind of row how many belong to a person.
create or replace function count_rows_of(of_program bigint, person bigint) returns table (relation text, amount integer)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  place person_reference;
begin
  for place in select * from person_reference r where of_program = current_program() loop
    relation := place.relation;
    execute format('select count(*)::integer from %I t where t.program_id = $1 and t.%I = $2', place.relation, place.of_column)
      into amount using of_program, person;
    if amount > 0 then
      return next;
    end if;
  end loop;
end $$;
revoke execute on function count_rows_of(bigint,bigint) from public;
grant execute on function count_rows_of(bigint,bigint) to app;

-- Gives back what is still there and still belongs to whoever got it; how many rows.
create or replace function unmerge_rows(of_program bigint, of_merge bigint) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  merge account_merge;
  one account_merge_row;
  given integer := 0;
begin
  select m.* into strict merge from account_merge m where m.program_id = of_program and m.id = of_merge and of_program = current_program();
  for one in select r.* from account_merge_row r where r.program_id = of_program and r.merge_id = of_merge loop
    if give_rows(one.relation, one.of_column, of_program, merge.kept_id, merge.merged_id, one.key) then
      given := given + 1;
    end if;
  end loop;
  delete from account_merge_row r where r.program_id = of_program and r.merge_id = of_merge;
  return given;
end $$;
revoke execute on function unmerge_rows(bigint,bigint) from public;
grant execute on function unmerge_rows(bigint,bigint) to app;
