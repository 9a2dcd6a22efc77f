-- What the fields of an email say for its recipients, in one statement for all of them. A super admin writes to people of
-- several programs, of which a policy shows one at a time; so this reads with the owner's right, and only in the programs
-- that the transaction works on.
create function find_merge_facts(ids bigint[], wants_hours boolean, wants_shift boolean)
returns table (id bigint, first_name text, last_name text, student_number text, level text, cohort text, program text,
  college text, approved bigint, required bigint, shift_date text, shift_time text, shift_site text)
language sql stable security definer set search_path = public as $$
  select u.id, u.first_name, u.last_name, u.student_number, l.name, u.cohort, p.name, c.name, h.minutes, w.minutes,
    n.date, n.time, n.site
  from account u
  left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
  left join program p on p.id = u.program_id
  left join college c on c.id = p.college_id
  left join lateral (
    select sum(s.approved_minutes) as minutes from student_hours s
    where wants_hours and s.program_id = u.program_id and s.student_id = u.id) h on true
  left join lateral (
    select sum(t.target_minutes) as minutes from rotation t
    where wants_hours and t.program_id = u.program_id and t.deleted_at is null and t.id in (
      select a.rotation_id from shift_assignment a
      where a.program_id = u.program_id and a.student_id = u.id and a.removed_at is null)) w on true
  left join lateral (
    select to_char(a.date, 'Dy MM/DD/YYYY') as date, s.name as site,
      to_char(a.starts_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') || '–' ||
      to_char(a.ends_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') as time
    from shift_assignment a join site s on s.program_id = a.program_id and s.id = a.site_id
    where wants_shift and a.program_id = u.program_id and a.student_id = u.id and a.removed_at is null
      and a.date >= (now() - interval '1 day')::date and a.starts_at > now()
    order by a.starts_at limit 1) n on true
  where u.id = any (ids) and (u.program_id = any (allowed_programs()) or u.program_id is null and u.id = current_account())
$$;
