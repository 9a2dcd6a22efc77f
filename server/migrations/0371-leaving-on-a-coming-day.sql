-- The last day of whoever leaves on a day to come: access ends on the day after. Whoever has left, or stays, has none.
alter table account add column leaves_on date;
create index account_leaves on account (program_id, leaves_on) where leaves_on is not null;

-- A last day can be moved: each step is a row, and undoing gives back what all of them have taken.
drop index leaving_open;
create index leaving_open on leaving (program_id, account_id) where over_at is null;

create or replace function keep_counts_through() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
drop trigger counts_through on account;
create trigger counts_through before insert or update of access_level, deactivated_at, deleted_at, leaves_on on account
  for each row execute function keep_counts_through();

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
drop trigger free_future on account;
create trigger free_future after update of access_level, deactivated_at, deleted_at, leaves_on on account for each row
  when (new.program_id is not null and old.program_id = new.program_id
    and (old.counts_through, old.deactivated_at is null, old.deleted_at is null, old.leaves_on)
      is distinct from (new.counts_through, new.deactivated_at is null, new.deleted_at is null, new.leaves_on))
  execute function free_future();
