create or replace function keep_invoice() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'an invoice is never deleted'; end if;
  if old.voided_at is not null then raise exception 'a void invoice is never changed'; end if;
  if to_jsonb(new) - '{voided_at,voided_by,void_reason}'::text[]
    is distinct from to_jsonb(old) - '{voided_at,voided_by,void_reason}'::text[] then
    raise exception 'an invoice is never changed';
  end if;
  return new;
end $$;

-- Where the payments of each program stand: the arrangement of today, else the next, else the last.
create or replace function payment_standings() returns table (program_id bigint, arrangement_id bigint, standing text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct on (a.program_id) a.program_id, a.id, s.standing
  from payment_arrangement a
  join program p on p.id = a.program_id
  cross join lateral (select (now() at time zone p.time_zone)::date as today) t
  cross join lateral (select case when a.starts_on > t.today then 'upcoming' when a.ends_on < t.today then 'ended'
    when a.is_exempt and a.evidence_file_id is null then 'evidence' else 'active' end as standing) s
  where a.deleted_at is null
  order by a.program_id, case s.standing when 'upcoming' then 2 when 'ended' then 3 else 1 end,
    case when s.standing = 'upcoming' then a.starts_on end, a.starts_on desc, a.id desc
$$;
