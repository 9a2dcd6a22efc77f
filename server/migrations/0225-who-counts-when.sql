-- Who counts when. A student counts on a day up to `counts_through`: forever while they study, up to the last day once they have
-- left, and null for whoever never was a student. What was before stays in every sum; what was to come is free.
alter table account add column counts_through date;

-- Where somebody left: what was taken from them then, so that it can be given back.
create table leaving (
  program_id bigint not null references program,
  id bigint generated always as identity,
  account_id bigint not null,
  last_day date not null,
  freed_ids bigint[] not null default '{}',
  stopped_ids bigint[] not null default '{}',
  handed_to bigint,
  handed_ids bigint[] not null default '{}',
  made_at timestamptz not null default now(),
  made_by bigint,
  -- When they came back.
  over_at timestamptz,
  primary key (program_id, id),
  foreign key (program_id, account_id) references account (program_id, id),
  foreign key (program_id, handed_to) references account (program_id, id)
);
create unique index leaving_open on leaving (program_id, account_id) where over_at is null;
create index leaving_handed on leaving (program_id, handed_to) where handed_to is not null;
call protect_by_program('leaving');

alter table account disable trigger user;
update account a set counts_through = case
    when a.access_level = 39 and a.deactivated_at is null and a.deleted_at is null then 'infinity'
    else (least(a.deactivated_at, a.deleted_at, now()) at time zone p.time_zone)::date end
  from program p where p.id = a.program_id and a.access_level in (39, 29);
alter table account enable trigger user;

-- Whatever ends it, and whoever does it: by hand, a directory, a roster, an import or another level.
create function keep_counts_through() returns trigger language plpgsql security definer set search_path = public as $$
declare
  counts boolean := new.access_level = 39 and new.deactivated_at is null and new.deleted_at is null;
  counted boolean := coalesce(old.access_level = 39 and old.deactivated_at is null and old.deleted_at is null, false);
begin
  if counts and not counted then
    new.counts_through := 'infinity';
  elsif counted and not counts then
    new.counts_through := least(new.counts_through,
      (select (now() at time zone p.time_zone)::date from program p where p.id = old.program_id));
  end if;
  return new;
end $$;
create trigger counts_through before insert or update of access_level, deactivated_at, deleted_at on account
  for each row execute function keep_counts_through();

-- Takes a person who left off every shift after the last day, out of waiting lists and swaps, and stops their open evaluations. The
-- counters, sums and notices follow the rows, as when it is done by hand.
create function free_future() returns trigger language plpgsql security definer set search_path = public as $$
declare
  has_left boolean := coalesce(new.counts_through < 'infinity' and old.counts_through = 'infinity', false);
  is_closed boolean := (old.deactivated_at is null and old.deleted_at is null)
    and not (new.deactivated_at is null and new.deleted_at is null);
  freed bigint[] := '{}';
  stopped bigint[] := '{}';
begin
  update leaving l set over_at = now()
    where l.program_id = new.program_id and l.account_id = new.id and l.over_at is null
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
      where s.program_id = new.program_id and s.student_id = new.id and s.state = 'waiting'
      returning s.open_shift_id)
    update open_shift o set waiting = o.waiting - e.ended
      from (select open_shift_id, count(*) as ended from ended group by 1 order by 1) e
      where o.program_id = new.program_id and o.id = e.open_shift_id;
    delete from shift_request_person p
      where p.program_id = new.program_id and p.student_id = new.id and p.answer in ('asked', 'proposed')
        and exists (select from shift_request x where x.program_id = p.program_id and x.id = p.change_id and x.state = 'open');
    -- A shift that they were to take goes back to whoever offered it.
    with ended as (
      update shift_request x set state = 'failed', decided_at = now(), reason = 'The student who was to take the shift has left.'
      where x.program_id = new.program_id and x.taker_id = new.id and x.state = 'pending'
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
  if has_left or is_closed then
    insert into leaving (program_id, account_id, last_day, freed_ids, stopped_ids, made_by)
      values (new.program_id, new.id,
        coalesce(nullif(new.counts_through, 'infinity'), (select (now() at time zone p.time_zone)::date from program p where p.id = new.program_id)),
        freed, stopped, current_account());
  end if;
  return null;
end $$;
create trigger free_future after update of access_level, deactivated_at, deleted_at on account for each row
  when (new.program_id is not null and old.program_id = new.program_id
    and (old.counts_through, old.deactivated_at is null, old.deleted_at is null)
      is distinct from (new.counts_through, new.deactivated_at is null, new.deleted_at is null))
  execute function free_future();

-- Those who had left before.
update shift_assignment a set removed_at = now() from account u
  where u.program_id = a.program_id and u.id = a.student_id and u.counts_through < 'infinity' and a.date > u.counts_through
    and a.removed_at is null;
insert into rotation_change (program_id, student_id)
  select u.program_id, u.id from account u where u.counts_through < 'infinity' and u.deleted_at is null;

-- Hours of a rotation are also those of whoever has left.
create or replace function student_rotations(of_program bigint, of_students bigint[], moment timestamptz)
  returns table (student_id bigint, rotation_id bigint, approved_minutes integer, projected_minutes integer)
  language sql stable as $$
  select p.student_id, p.rotation_id, sum(p.approved)::integer,
    (sum(p.approved) + greatest(0, sum(p.pending) - sum(p.makeup)) + sum(p.makeup) + sum(p.ahead)
      - case when sum(p.away) > 0 and sum(p.past) > 0
        then round(sum(p.ahead) * least(sum(p.away), sum(p.past))::numeric / sum(p.past)) else 0 end)::integer
  from (
    select h.student_id, h.rotation_id, h.approved_minutes as approved, h.pending_minutes as pending, 0 as ahead, 0 as past, 0 as away,
      0 as makeup, 1 as rows
    from student_hours h where h.program_id = of_program and h.student_id = any (of_students) and h.rotation_id <> 0
    union all
    select p.student_id, p.rotation_id, 0, 0, p.minutes - p.past_minutes, p.past_shifts, 0, 0, p.shifts
    from plan_sum p where p.program_id = of_program and p.student_id = any (of_students)
    union all
    -- Shifts since the moment of the sums that are over, or have been recorded, are no longer ahead.
    select a.student_id, a.rotation_id, 0, 0, -shift_minutes(a.starts_at, a.ends_at), (a.ends_at <= moment)::integer, 0, 0, 0
    from shift_assignment a
    where a.program_id = of_program and a.student_id = any (of_students) and a.removed_at is null
      -- The day of a shift is that of its begin where its site is, which is at most 14 hours from that here.
      and a.date >= (select (coalesce((select u.until from plan_until u where u.program_id = of_program), '-infinity') - interval '38 hours')::date)
      and a.date <= (select (moment + interval '14 hours')::date)
      and a.ends_at > (select coalesce((select u.until from plan_until u where u.program_id = of_program), '-infinity'))
      and a.starts_at <= moment
      and (a.ends_at <= moment or 0 < (select count(*) from time_record r where r.program_id = a.program_id and r.assignment_id = a.id
        and r.kind in ('out', 'absence', 'exception') and r.deleted_at is null and r.status <> 'rejected'))
    union all
    select r.student_id, r.rotation_id, 0, 0, 0, 0, 1, 0, 0 from time_record r
    where r.program_id = of_program and r.student_id = any (of_students) and r.rotation_id is not null and r.kind = 'absence'
      and r.deleted_at is null and r.status <> 'rejected' and r.occurred_at <= moment
    union all
    select r.student_id, r.rotation_id, 0, 0, 0, 0, 0, r.minutes, 0 from time_record r
    where r.program_id = of_program and r.student_id = any (of_students) and r.rotation_id is not null and r.kind = 'makeup'
      and r.status = 'pending' and r.deleted_at is null and r.occurred_at > moment) p
  where p.student_id in (select u.id from account u where u.program_id = of_program and u.counts_through is not null
    and u.deleted_at is null)
  group by p.student_id, p.rotation_id having sum(p.rows) <> 0
$$;
