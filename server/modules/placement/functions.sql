-- Plans of other programs of the same college that could be solved with a plan of the running program: their weeks overlap, and both plans
-- place at a site that the programs share. Names, dates and how many students; `sites` are the running program's names.
create or replace function plans_to_solve_with(wanted bigint)
returns table (program_id bigint, program text, plan_id bigint, plan text, start_date date, end_date date, students integer,
  is_open boolean, sites text[])
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.name, p.id, p.name, p.start_date, p.end_date,
    (select count(*)::int from placement_student s join account u on u.program_id = s.program_id and u.id = s.student_id
      and u.deleted_at is null and u.deactivated_at is null where s.program_id = p.program_id and s.plan_id = p.id),
    p.is_open_to_others, x.sites
  from placement_plan own
  join program g on g.id = own.program_id
  join program o on o.college_id = g.college_id and o.id <> g.id and o.deleted_at is null
  join placement_plan p on p.program_id = o.id and p.deleted_at is null and p.start_date <= own.end_date
    and p.end_date >= own.start_date and p.end_date >= current_date
  cross join lateral (
    select array_agg(s.name order by lower(s.name), s.id) as sites
    from shared_site_program a
    join shared_site_program b on b.shared_site_id = a.shared_site_id and b.program_id = p.program_id and b.left_at is null
    join site s on s.program_id = a.program_id and s.id = a.site_id and s.deleted_at is null and s.is_active
    where a.program_id = own.program_id and a.left_at is null
      and (own.rules->'SiteIds' = '[]' or own.rules->'SiteIds' @> to_jsonb(a.site_id))
      and (p.rules->'SiteIds' = '[]' or p.rules->'SiteIds' @> to_jsonb(b.site_id))) x
  where own.program_id = current_program() and own.id = wanted and own.deleted_at is null and own.end_date >= current_date
    and x.sites is not null
$$;

-- Students whom drafts that were solved together with one of the running program place at its shared sites, by site and day, without those
-- who were accepted: they are counted where all assignments are.
create or replace function placement_elsewhere(wanted bigint) returns table (site_id bigint, date date, held integer)
language sql stable security definer set search_path = public, pg_temp as $$
  with peers as (
    select p.program_id, p.id as plan_id, d.id as draft_id, p.start_date, p.end_date, p.weeks_per_block
    from placement_draft own
    cross join lateral jsonb_to_recordset(own.together) as t ("ProgramId" bigint, "DraftId" bigint)
    join placement_draft d on d.program_id = t."ProgramId" and d.id = t."DraftId" and d.deleted_at is null
    join placement_plan p on p.program_id = d.program_id and p.id = d.plan_id and p.deleted_at is null
    where own.program_id = current_program() and own.id = wanted and t."ProgramId" <> own.program_id
  ), accepted as (
    select distinct a.program_id, a.plan_id, (e->>'StudentId')::bigint as student_id, (e->>'Block')::int as block
    from peers join placement_acceptance a on a.program_id = peers.program_id and a.plan_id = peers.plan_id and a.undone_at is null
    cross join lateral jsonb_array_elements(a.cells) as e
  )
  select m.site_id, day::date, count(*)::int
  from peers
  join placement_cell c on c.program_id = peers.program_id and c.draft_id = peers.draft_id
  join site_shift h on h.program_id = c.program_id and h.id = c.site_shift_id
  join shared_site_program o on o.program_id = h.program_id and o.site_id = h.site_id and o.left_at is null
  join shared_site_program m on m.shared_site_id = o.shared_site_id and m.program_id = current_program() and m.left_at is null
  left join accepted x on x.program_id = peers.program_id and x.plan_id = peers.plan_id and x.student_id = c.student_id and x.block = c.block
  cross join lateral generate_series((peers.start_date + c.block * 7 * peers.weeks_per_block)::timestamp,
    least(peers.end_date, peers.start_date + (c.block + 1) * 7 * peers.weeks_per_block - 1)::timestamp, interval '1 day') as day
  where x.student_id is null and extract(dow from day)::smallint = any (c.weekdays)
    and not exists (select from day_off f where f.program_id = peers.program_id and day::date between f.start_date and f.end_date)
  group by m.site_id, day::date
$$;
