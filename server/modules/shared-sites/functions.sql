call read_across('shared_site', 'id, name, capacity');
call read_across('shared_site_program', 'program_id, shared_site_id, site_id, joined_at, left_at');
call read_across('shared_site_code', 'hash, shared_site_id, program_id, used_at, expires_at');

-- The counter follows the assignments in the same statement, whoever writes them.
create or replace function count_shared() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare shared bigint;
begin
  if tg_op = 'UPDATE' and old.removed_at is null
     and (new.removed_at is not null or (new.site_id, new.date) <> (old.site_id, old.date)) then
    select shared_site_id into shared from shared_site_program
      where program_id = old.program_id and site_id = old.site_id and left_at is null;
    if found then
      update shared_site_day set placed = placed - 1 where shared_site_id = shared and date = old.date and placed > 0;
    end if;
  end if;
  if new.removed_at is null
     and (tg_op = 'INSERT' or old.removed_at is not null or (new.site_id, new.date) <> (old.site_id, old.date)) then
    select shared_site_id into shared from shared_site_program
      where program_id = new.program_id and site_id = new.site_id and left_at is null;
    if found then
      insert into shared_site_day as day (shared_site_id, date, placed, capacity)
        select s.id, new.date, 1, s.capacity from shared_site s where s.id = shared
      on conflict (shared_site_id, date) do update set placed = day.placed + 1;
    end if;
  end if;
  return null;
end $$;

-- What is free at shared sites of the running program on days: the one way by which the count of several programs is read. Locking, the
-- counters stay as they are until the transaction ends, always in the same order.
create or replace function shared_free(sites bigint[], dates date[], is_locking boolean)
returns table (site_id bigint, date date, capacity integer, free integer)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  if is_locking then
    insert into shared_site_day as day (shared_site_id, date, placed, capacity)
    select m.shared_site_id, d, 0, s.capacity
    from shared_site_program m join shared_site s on s.id = m.shared_site_id cross join unnest(dates) d
    where m.program_id = current_program() and m.left_at is null and m.site_id = any (sites)
    order by m.shared_site_id, d
    on conflict (shared_site_id, date) do update set placed = day.placed;
  end if;
  return query
    select m.site_id, d::date, coalesce(y.capacity, s.capacity), coalesce(y.capacity - y.placed, s.capacity)
    from shared_site_program m join shared_site s on s.id = m.shared_site_id cross join unnest(dates) d
    left join shared_site_day y on y.shared_site_id = m.shared_site_id and y.date = d
    where m.program_id = current_program() and m.left_at is null and m.site_id = any (sites);
end $$;

-- Counts what a program has at its site from today on into the counter, or out of it. Its shifts and assignments are locked, so that
-- whoever places or removes at the same moment is counted once.
create or replace function count_program(shared bigint, wanted_site bigint, sign integer) returns void
language plpgsql as $$
begin
  perform from site_shift where program_id = current_program() and site_id = wanted_site order by id for update;
  perform from shift_assignment where program_id = current_program() and site_id = wanted_site and removed_at is null
    and date >= current_date - 1 order by id for share;
  insert into shared_site_day as day (shared_site_id, date, placed, capacity)
  select shared, a.date, count(*), greatest(s.capacity, count(*))
  from shift_assignment a join shared_site s on s.id = shared
  where a.program_id = current_program() and a.site_id = wanted_site and a.removed_at is null and a.date >= current_date - 1
  group by a.date, s.capacity order by a.date
  on conflict (shared_site_id, date) do update
    set placed = greatest(0, day.placed + sign * excluded.placed),
      capacity = greatest((select capacity from shared_site where id = shared), day.placed + sign * excluded.placed);
end $$;
revoke execute on function count_program(bigint,bigint,integer) from public;

-- Offers a site of the running program for sharing, and joins it.
create or replace function share_site(wanted_site bigint, wanted_name text, wanted_capacity integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare shared bigint;
begin
  insert into shared_site (name, capacity) values (wanted_name, wanted_capacity) returning id into shared;
  perform count_program(shared, wanted_site, 1);
  insert into shared_site_program (program_id, shared_site_id, site_id, joined_by)
    values (current_program(), shared, wanted_site, current_account());
  return shared;
end $$;

-- A code by which one more program may join what the running program shares; false where it does not share it.
create or replace function add_shared_code(shared bigint, wanted bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into shared_site_code (hash, shared_site_id, program_id, created_by)
  select wanted, m.shared_site_id, m.program_id, current_account() from shared_site_program m
  where m.program_id = current_program() and m.shared_site_id = shared and m.left_at is null;
  return found;
end $$;

-- Joins by a code, which is used up; null where another was faster or the code is over.
create or replace function join_shared_site(wanted bytea, wanted_site bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare shared bigint;
begin
  update shared_site_code c set used_at = now()
  where c.hash = wanted and c.used_at is null and c.expires_at > now()
    and exists (select from shared_site_program m where m.program_id = c.program_id and m.shared_site_id = c.shared_site_id and m.left_at is null)
  returning c.shared_site_id into shared;
  if shared is null then return null; end if;
  perform count_program(shared, wanted_site, 1);
  insert into shared_site_program (program_id, shared_site_id, site_id, joined_by)
    values (current_program(), shared, wanted_site, current_account());
  return shared;
end $$;

-- Ends the sharing for the running program: its students are no longer counted from today on. Answers the site; null where it shares none.
create or replace function leave_shared_site(shared bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare own bigint;
begin
  select site_id into own from shared_site_program
    where program_id = current_program() and shared_site_id = shared and left_at is null for update;
  if own is null then return null; end if;
  perform count_program(shared, own, -1);
  update shared_site_program set left_at = now(), left_by = current_account()
    where program_id = current_program() and shared_site_id = shared and left_at is null;
  return own;
end $$;
