-- Yesterday is kept too once its last shift is over: a day that changes afterwards is marked and kept anew anyway.
create or replace function attendance_due() returns table (program_id bigint, time_zone text)
  language sql stable security definer set search_path = public as $$
  select p.id, p.time_zone from program p
  where p.deleted_at is null and (exists (select from attendance_change c where c.program_id = p.id)
    or (select count(*) from attendance_day d where d.program_id = p.id
      and d.date between (now() at time zone p.time_zone)::date - 400 and (now() at time zone p.time_zone)::date - 1) < 400)
  order by p.id
$$;
