import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/**
 * Students whom drafts that were solved together with one of the program place at its shared sites, by site and day, without those who were
 * accepted: they are counted where all assignments are.
 */
export const listHeldElsewhere = (db: Db, programId: number, draftId: number) =>
  acrossPrograms(
    db,
    sql<{ SiteId: number; Date: string; Held: number }>`
      with peers as (
        select p.program_id, p.id as plan_id, d.id as draft_id, p.start_date, p.end_date, p.weeks_per_block
        from placement_draft own
        cross join lateral jsonb_to_recordset(own.together) as t ("ProgramId" bigint, "DraftId" bigint)
        join placement_draft d on d.program_id = t."ProgramId" and d.id = t."DraftId" and d.deleted_at is null
        join placement_plan p on p.program_id = d.program_id and p.id = d.plan_id and p.deleted_at is null
        where own.program_id = ${programId} and own.id = ${draftId} and t."ProgramId" <> own.program_id
      ), accepted as (
        select distinct a.program_id, a.plan_id, (e->>'StudentId')::bigint as student_id, (e->>'Block')::int as block
        from peers join placement_acceptance a on a.program_id = peers.program_id and a.plan_id = peers.plan_id and a.undone_at is null
        cross join lateral jsonb_array_elements(a.cells) as e
      )
      select m.site_id as "SiteId", day::date as "Date", count(*)::int as "Held"
      from peers
      join placement_cell c on c.program_id = peers.program_id and c.draft_id = peers.draft_id
      join site_shift h on h.program_id = c.program_id and h.id = c.site_shift_id
      join shared_site_program o on o.program_id = h.program_id and o.site_id = h.site_id and o.left_at is null
      join shared_site_program m on m.shared_site_id = o.shared_site_id and m.program_id = ${programId} and m.left_at is null
      left join accepted x on x.program_id = peers.program_id and x.plan_id = peers.plan_id and x.student_id = c.student_id and x.block = c.block
      cross join lateral generate_series((peers.start_date + c.block * 7 * peers.weeks_per_block)::timestamp,
        least(peers.end_date, peers.start_date + (c.block + 1) * 7 * peers.weeks_per_block - 1)::timestamp, interval '1 day') as day
      where x.student_id is null and extract(dow from day)::smallint = any (c.weekdays)
        and not exists (select from day_off f where f.program_id = peers.program_id and day::date between f.start_date and f.end_date)
      group by m.site_id, day::date`,
  )
