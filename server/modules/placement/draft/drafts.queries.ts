import { sql } from 'kysely'
import type pg from 'pg'
import type { Draft, DraftRow, DraftShift } from '#contract/placement/drafts.ts'
import { milesBetween } from '#contract/placement/plan-rules.ts'
import { fewest } from '#contract/shared-sites/shared-places.ts'
import type { Db } from '#server/core/database/pool.ts'
import { pointsBefore, sitePlace } from '../plan/load-plan.queries.ts'
import { hasRanked } from '../plan/rankings.queries.ts'
import type { DraftOrder } from '../solve/plan-instance.rules.ts'

export interface DraftKey {
  programId: number
  draftId: number
}

const columns = sql`d.id as "Id", d.plan_id as "PlanId", d.name as "Name", d.parent_id as "ParentId", d.seed as "Seed",
  d.input->>'Effort' as "Effort", d.input->'Weights' as "Weights", d.input->'Places' as "Places", d.state as "State", d.error as "Error",
  d.step as "Step", d.steps as "Steps", d.expected_seconds as "ExpectedSeconds", d.seconds as "Seconds",
  case when d.state = 'running' then floor(extract(epoch from clock_timestamp() - d.started_at))::int end as "RunSeconds",
  case when d.figures <> '{}' then d.figures end as "Figures",
  (select count(*)::int from placement_cell c where c.program_id = d.program_id and c.draft_id = d.id and c.is_locked) as "LockedCount",
  (select coalesce(sum(jsonb_array_length(a.cells)), 0)::int from placement_acceptance a where a.program_id = d.program_id
    and a.draft_id = d.id and a.undone_at is null) as "AcceptedCount",
  (select coalesce(json_agg(json_build_object('Program', e.value->>'Program',
      'Students', case when (e.value->>'Students')::int >= ${fewest} then (e.value->>'Students')::int end) order by e.ordinality), '[]')
    from jsonb_array_elements(d.together) with ordinality as e where (e.value->>'ProgramId')::bigint <> d.program_id) as "Together",
  d.is_joint as "IsJoint",
  d.created_at as "CreatedAt", coalesce(u.first_name || ' ' || u.last_name, '') as "CreatedBy"`
const from = sql`from placement_draft d left join account u on u.program_id = d.program_id and u.id = d.created_by`

export const listDraftsOf = async (db: Db, programId: number, planId: number): Promise<Draft[]> =>
  (
    await sql<Draft>`select ${columns} ${from}
    where d.program_id = ${programId} and d.plan_id = ${planId} and d.deleted_at is null order by d.id`.execute(
      db,
    )
  ).rows

export const findDraft = async (
  db: Db,
  programId: number,
  { planId, draftId }: { planId: number; draftId: number },
): Promise<Draft | undefined> =>
  (
    await sql<Draft>`select ${columns} ${from} where d.program_id = ${programId} and d.id = ${draftId} and d.plan_id = ${planId}
      and d.deleted_at is null`.execute(db)
  ).rows[0]

/** Locks a draft, waiting for whoever works on it; false if it does not exist. */
export const lockDraftRow = async (
  db: Db,
  programId: number,
  { planId, draftId }: { planId: number; draftId: number },
): Promise<boolean> => {
  const { rows } =
    await sql`select id from placement_draft where program_id = ${programId} and id = ${draftId}
    and plan_id = ${planId} and deleted_at is null for no key update`.execute(db)
  return rows.length > 0
}

/** The cells that a run starts from, read as one value: thousands of rows take several times as long. */
export const listOrderCells = async (
  db: Db,
  { programId, draftId }: DraftKey,
): Promise<DraftOrder['cells']> => {
  const { rows } = await sql<{ cells: [number, number, number, number[], boolean][] }>`
    select coalesce(json_agg(json_build_array(student_id, block, site_shift_id, weekdays, is_locked) order by student_id, block), '[]') as cells
    from placement_cell where program_id = ${programId} and draft_id = ${draftId}`.execute(db)
  return (rows[0]?.cells ?? []).map(([StudentId, Block, SiteShiftId, Weekdays, IsLocked]) => ({
    StudentId,
    Block,
    SiteShiftId,
    Weekdays,
    IsLocked,
  }))
}

/** Runs of all programs without a heartbeat for a minute. */
export const listLostDrafts = async (everywhere: pg.Pool): Promise<DraftKey[]> =>
  (
    await everywhere.query<DraftKey>(
      `select d.program_id as "programId", d.id as "draftId" from placement_draft d
      where d.state in ('queued', 'running') and d.beat_at < now() - interval '1 minute' order by 1, 2`,
    )
  ).rows

interface DraftRowRead extends Omit<DraftRow, 'Cells'> {
  Latitude: number | null
  Longitude: number | null
  Cells: Omit<DraftRow['Cells'][number], 'Miles'>[]
}

interface Point {
  Latitude: number
  Longitude: number
}

/** The locations of a plan's shifts, by shift; unknown ones are left out. */
const listShiftPoints = async (db: Db, programId: number, planId: number): Promise<Map<number, Point>> => {
  const { rows } = await sql<Point & { id: number }>`
    select h.id, ${sitePlace.latitude} as "Latitude", ${sitePlace.longitude} as "Longitude"
    from placement_plan p
    join site_shift h on h.program_id = p.program_id and h.start_date <= p.end_date and h.end_date >= p.start_date
    join site s on s.program_id = h.program_id and s.id = h.site_id
    ${sitePlace.join}
    where p.program_id = ${programId} and p.id = ${planId} and ${sitePlace.latitude} is not null`.execute(db)
  return new Map(rows.map(({ id, ...point }) => [id, point]))
}

/** The students of a plan with their cells in a draft, by name. */
export const listDraftRows = async (
  db: Db,
  programId: number,
  { planId, draftId }: { planId: number; draftId: number },
): Promise<DraftRow[]> => {
  const { rows } = await sql<DraftRowRead>`
    with owed as (${pointsBefore(programId, planId)}),
    accepted as (select distinct (e->>'StudentId')::bigint as student_id, (e->>'Block')::int as block, (e->>'SiteShiftId')::bigint as site_shift_id
      from placement_acceptance a, jsonb_array_elements(a.cells) as e
      where a.program_id = ${programId} and a.plan_id = ${planId} and a.undone_at is null),
    cells as (select c.student_id, json_agg(json_build_object('Block', c.block, 'SiteShiftId', c.site_shift_id, 'Rank', c.rank,
        'IsLocked', c.is_locked, 'IsAccepted', x.student_id is not null, 'RotationId', coalesce(c.rotation_id, p.rotation_id),
        'HasRanked', coalesce(${hasRanked(sql`c.block`)}, false)) order by c.block) as list
      from placement_cell c join placement_plan p on p.program_id = c.program_id and p.id = ${planId}
      left join placement_preference f on f.program_id = c.program_id and f.plan_id = p.id and f.student_id = c.student_id
      left join accepted x on x.student_id = c.student_id and x.block = c.block and x.site_shift_id = c.site_shift_id
      where c.program_id = ${programId} and c.draft_id = ${draftId} group by c.student_id)
    select s.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", u.student_level_id as "StudentLevelId",
      l.name as "StudentLevel",
      z.latitude as "Latitude", z.longitude as "Longitude",
      coalesce(o.points, 0) as "Points", coalesce(cardinality(f.site_ids) > 0 or jsonb_array_length(f.block_rankings) > 0, false) as "HasRanked", coalesce(c.list, '[]') as "Cells"
    from placement_student s
    join account u on u.program_id = s.program_id and u.id = s.student_id and u.deleted_at is null
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join placement_preference f on f.program_id = s.program_id and f.plan_id = s.plan_id and f.student_id = s.student_id
    left join owed o on o.student_id = s.student_id
    left join cells c on c.student_id = s.student_id
    left join place z on z.zip = left(u.zip, 5)
    where s.program_id = ${programId} and s.plan_id = ${planId} and (u.deactivated_at is null or c.list is not null)
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  const sites = await listShiftPoints(db, programId, planId)
  return rows.map(({ Latitude, Longitude, Cells, ...row }) => ({
    ...row,
    Cells: Cells.map((cell) => {
      const site = sites.get(cell.SiteShiftId)
      const isKnown = site !== undefined && Latitude !== null && Longitude !== null
      return { ...cell, Miles: isKnown ? milesBetween({ Latitude, Longitude }, site) : null }
    }),
  }))
}

/** The shifts of the program that run in a plan, with their sites. */
export const listDraftShifts = async (db: Db, programId: number, planId: number): Promise<DraftShift[]> =>
  (
    await sql<DraftShift>`select h.id as "SiteShiftId", h.code as "Shift", h.type as "Type", s.area_id as "AreaId",
      s.id as "SiteId", s.name as "Site",
      coalesce(nullif(s.code, ''), s.name) as "SiteCode"
    from placement_plan p
    join site_shift h on h.program_id = p.program_id and h.start_date <= p.end_date and h.end_date >= p.start_date
    join site s on s.program_id = h.program_id and s.id = h.site_id
    where p.program_id = ${programId} and p.id = ${planId} order by lower(s.name), h.code, h.id`.execute(db)
  ).rows
