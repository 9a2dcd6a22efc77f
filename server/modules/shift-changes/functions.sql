-- Whoever takes a student off the shift, by hand, import or drop: her place is free again. Old and new rows are grouped, not
-- joined, as in note_time_update. The counters of the days are locked already, so the open shift is locked after them.
create or replace function end_open_shift_signups() returns trigger language plpgsql as $$
begin
  with changed as (
    select r.program_id, r.id from (
      select program_id, id, student_id, site_shift_id, date, removed_at from was
      union all select program_id, id, student_id, site_shift_id, date, removed_at from became) r
    group by r.program_id, r.id
    having count(r.removed_at) > 0 or min(r.student_id) <> max(r.student_id) or min(r.site_shift_id) <> max(r.site_shift_id)
      or min(r.date) <> max(r.date)),
  ended as (
    update open_shift_signup s set state = 'ended', ended_as = 'removed', ended_at = now()
    from changed c where s.program_id = c.program_id and s.assignment_id = c.id and s.state = 'placed'
    returning s.program_id, s.open_shift_id),
  counted as (select program_id, open_shift_id, count(*) as ended from ended group by 1, 2 order by 1, 2)
  update open_shift o set taken = o.taken - c.ended
  from counted c where o.program_id = c.program_id and o.id = c.open_shift_id;
  return null;
end $$;

-- A shift that is taken away or moved ends what was asked about it. Told, at once and by email: its student and taker, and whoever was asked
-- or has proposed and has not declined. Where a proposed shift goes, the student who was to choose is told.
create or replace function end_shift_requests() returns trigger language plpgsql as $$
begin
  with changed as (
    select r.program_id, r.id from (
      select program_id, id, student_id, site_shift_id, date, removed_at from was
      union all select program_id, id, student_id, site_shift_id, date, removed_at from became) r
    group by r.program_id, r.id
    having count(r.removed_at) > 0 or min(r.student_id) <> max(r.student_id) or min(r.site_shift_id) <> max(r.site_shift_id)
      or min(r.date) <> max(r.date)),
  gone as (
    delete from shift_request_person p using changed c, shift_request x
    where p.program_id = c.program_id and p.assignment_id = c.id and p.answer = 'proposed'
      and x.program_id = p.program_id and x.id = p.change_id and x.state = 'open'
    returning p.program_id, p.change_id, p.student_id as proposer, x.student_id, x.line, x.assignment_id),
  hit as (
    select x.program_id, x.id from changed c join shift_request x on x.program_id = c.program_id and x.assignment_id = c.id
      and x.state in ('open', 'pending')
    union
    select x.program_id, x.id from changed c join shift_request x on x.program_id = c.program_id and x.returned_id = c.id
      and x.state = 'pending'),
  ended as (
    update shift_request x set state = 'failed', decided_at = now(), reason = 'The shift was changed or removed meanwhile.'
    from hit h, shift_request before where x.program_id = h.program_id and x.id = h.id
      and before.program_id = x.program_id and before.id = x.id
    returning x.program_id, x.id, x.kind, x.student_id, x.taker_id, x.line, before.state as was_state),
  noted as (
    insert into shift_request_event (program_id, change_id, actor, action, detail)
    select e.program_id, e.id, '', 'failed', 'The shift was changed or removed meanwhile.' from ended e),
  unlinked as (
    update scoped_link l set withdrawn_at = now() from ended e join shift_request_site s on s.program_id = e.program_id and s.change_id = e.id
    where l.program_id = e.program_id and l.kind = 'swap' and l.subject_id = s.id and l.withdrawn_at is null),
  told as (
    select e.program_id, e.id as change_id, p.account_id,
      'Nothing came of the ' || case e.kind when 'drop' then 'drop request' else e.kind end
        || ': the shift was changed or removed meanwhile. ' || e.line as text
    from ended e cross join lateral (
      select e.student_id union select e.taker_id where e.taker_id is not null
      union select p.student_id from shift_request_person p
        where e.was_state = 'open' and p.program_id = e.program_id and p.change_id = e.id and p.answer is distinct from 'declined') as p (account_id)
    union all
    select g.program_id, g.change_id, g.student_id,
      a.first_name || ' ' || a.last_name || ' can no longer give the proposed shift. You offered: ' || g.line
    from gone g join account a on a.program_id = g.program_id and a.id = g.proposer
    where not exists (select from ended e where e.program_id = g.program_id and e.id = g.change_id)),
  mailed as (
    insert into email_notice (program_id, account_id, label, subject_key, after)
    select program_id, account_id, 'SHIFT_swap', 'change:' || change_id, text from told)
  insert into notification (program_id, account_id, kind, text, link)
  select program_id, account_id, 'schedule', text, '/new/swaps?show=own' from told;
  return null;
end $$;
