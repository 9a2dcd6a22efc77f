-- Programs whose hours of rotations are to be counted anew: somebody was marked, a shift has begun or ended, or five minutes have
-- passed, for the absences and makeups whose moment has come.
create function rotations_due() returns setof bigint language sql stable security definer set search_path = public as $$
  select p.id from program p left join rotation_kept k on k.program_id = p.id
  where k.kept_at is null or k.kept_at < now() - interval '5 minutes'
    or exists (select from rotation_change c where c.program_id = p.id)
    or exists (select from shift_kept_change c where c.program_id = p.id)
    or exists (select from shift_kept s
      where s.program_id = p.id and s.date between (k.kept_at - interval '38 hours')::date and (now() + interval '14 hours')::date
        and (s.ends_at > k.kept_at and s.ends_at <= now() or s.starts_at > k.kept_at and s.starts_at <= now()))
  order by p.id
$$;
