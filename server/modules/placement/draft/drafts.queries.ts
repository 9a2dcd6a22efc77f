import { sql } from 'kysely'
import type pg from 'pg'
import type { Draft, DraftFigures, DraftInput, DraftRow, DraftShift } from '#contract/placement/drafts.ts'
import { milesBetween } from '#contract/placement/plan-rules.ts'
import { fewest } from '#contract/shared-sites/shared-places.ts'
import type { Db } from '#server/core/database/pool.ts'
import { pointsBefore, sitePlace } from '../plan/load-plan.queries.ts'
import { hasRanked } from '../plan/rankings.queries.ts'
import type { DraftOrder } from '../solve/plan-instance.rules.ts'
import type { DraftCell } from './draft.rules.ts'

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

export const insertDraft = async (
  db: Db,
  programId: number,
  { planId, accountId, ...more }: { planId: number; accountId: number | null; steps: number },
  {
    Name,
    Seed,
    FromDraftId,
    ...input
  }: Required<Omit<DraftInput, 'FromDraftId' | 'With'>> & Pick<DraftInput, 'FromDraftId'>,
): Promise<number> => {
  const { rows } = await sql<{
    id: number
  }>`insert into placement_draft (program_id, plan_id, name, parent_id, seed, input, created_by,
      beat_at, steps, expected_seconds, together)
    values (${programId}, ${planId}, ${Name}, ${FromDraftId ?? null}, ${Seed}, ${JSON.stringify(input)}::jsonb, ${accountId},
      now(), ${more.steps}, 0,
      -- A what-if is made around the places that the same drafts of other programs hold.
      coalesce((select together from placement_draft where program_id = ${programId} and id = ${FromDraftId ?? null}::bigint), '[]'))
    returning id`.execute(db)
  // One row was inserted.
  const id = rows[0]!.id
  if (FromDraftId !== undefined)
    await sql`insert into placement_cell (program_id, draft_id, student_id, block, site_shift_id, weekdays, rank, rotation_id, is_locked)
      select program_id, ${id}, student_id, block, site_shift_id, weekdays, rank, rotation_id, is_locked from placement_cell
      where program_id = ${programId} and draft_id = ${FromDraftId}`.execute(db)
  return id
}

/** Has a draft wait for the worker again. */
export const queueDraft = async (db: Db, { programId, draftId }: DraftKey): Promise<void> => {
  await sql`update placement_draft set state = 'queued', wish = '', attempts = 0, step = 0, error = '', beat_at = now(),
    started_at = null, finished_at = null, revision = revision + 1
    where program_id = ${programId} and id = ${draftId}`.execute(db)
}

export interface ClaimedDraft {
  planId: number
  seed: number
  input: Pick<Draft, 'Effort' | 'Weights' | 'Places'>
}

/** Claims a queued draft, or with others also one left over from a joint run; undefined if it is not queued or was claimed already. */
export const claimDraft = async (
  db: Db,
  { programId, draftId }: DraftKey,
  { isWithOthers = false } = {},
): Promise<ClaimedDraft | undefined> =>
  (
    await sql<ClaimedDraft>`update placement_draft set state = 'running', attempts = attempts + 1, beat_at = now(),
      started_at = coalesce(started_at, now()), expected_seconds = 0
    where program_id = ${programId} and id = ${draftId} and (state = 'queued' or ${isWithOthers} and state = 'running')
      and deleted_at is null
    returning plan_id as "planId", seed, input`.execute(db)
  ).rows[0]

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

/** A heartbeat of a run; answers what users want of it, or nothing if it is no longer running. */
export const heartbeatDraft = async (
  db: Db,
  { programId, draftId }: DraftKey,
  { step, steps, expectedSeconds }: { step: number; steps: number; expectedSeconds: number },
): Promise<'' | 'stop' | undefined> =>
  (
    await sql<{
      wish: '' | 'stop'
    }>`update placement_draft set beat_at = now(), step = ${step}, steps = ${steps},
      expected_seconds = case when ${expectedSeconds}::float > 0 then ceil(${expectedSeconds}::float) else expected_seconds end
    where program_id = ${programId} and id = ${draftId} and state = 'running' and deleted_at is null returning wish`.execute(
      db,
    )
  ).rows[0]?.wish

/** Replaces the cells of a draft; locks stay if the place is the same. */
export const saveCells = async (
  db: Db,
  { programId, draftId }: DraftKey,
  cells: readonly DraftCell[],
): Promise<void> => {
  const given = JSON.stringify(
    cells.map(({ StudentId, Block, SiteShiftId, Weekdays, Rank, RotationId }) => [
      StudentId,
      Block,
      SiteShiftId,
      Weekdays,
      Rank,
      RotationId,
    ]),
  )
  const rows = sql`(select (e->>0)::bigint as student_id, (e->>1)::smallint as block, (e->>2)::bigint as site_shift_id,
    array(select jsonb_array_elements_text(e->3)::smallint) as weekdays, (e->>4)::smallint as rank, (e->>5)::bigint as rotation_id
    from jsonb_array_elements(${given}::jsonb) as e)`
  await sql`delete from placement_cell c where c.program_id = ${programId} and c.draft_id = ${draftId}
    and not exists (select from ${rows} n where n.student_id = c.student_id and n.block = c.block)`.execute(
    db,
  )
  await sql`insert into placement_cell as c (program_id, draft_id, student_id, block, site_shift_id, weekdays, rank, rotation_id)
    select ${programId}, ${draftId}, n.student_id, n.block, n.site_shift_id, n.weekdays, n.rank, n.rotation_id from ${rows} n
    order by n.student_id, n.block
    on conflict (program_id, draft_id, student_id, block) do update set site_shift_id = excluded.site_shift_id,
      weekdays = excluded.weekdays, rank = excluded.rank, rotation_id = excluded.rotation_id,
      is_locked = c.is_locked and c.site_shift_id = excluded.site_shift_id`.execute(db)
}

export const saveFigures = async (
  db: Db,
  { programId, draftId }: DraftKey,
  figures: DraftFigures,
): Promise<void> => {
  await sql`update placement_draft set figures = ${JSON.stringify(figures)}::jsonb
    where program_id = ${programId} and id = ${draftId}`.execute(db)
}

/** Prepends problems to those in the figures of a draft; does nothing if it has no figures. */
export const addProblems = async (
  db: Db,
  { programId, draftId }: DraftKey,
  problems: readonly string[],
): Promise<void> => {
  if (problems.length === 0) return
  await sql`update placement_draft
    set figures = jsonb_set(figures, '{Problems}', ${JSON.stringify(problems)}::jsonb || (figures->'Problems'))
    where program_id = ${programId} and id = ${draftId} and figures ? 'Problems'`.execute(db)
}

export const endDraft = async (
  db: Db,
  { programId, draftId }: DraftKey,
  { state, error = '' }: { state: 'done' | 'stopped' | 'failed'; error?: string },
): Promise<void> => {
  await sql`update placement_draft set state = ${state}, error = ${error}, wish = '', is_joint = is_joint and ${state}::text <> 'done',
    finished_at = clock_timestamp(),
    seconds = extract(epoch from clock_timestamp() - started_at), revision = revision + 1
    where program_id = ${programId} and id = ${draftId} and state in ('queued', 'running')`.execute(db)
}

/** How often a run is started when its process keeps dying. */
const maxAttempts = 3

/** Requeues a run whose process has died, or fails it after too many attempts. */
export const requeueDraft = async (
  db: Db,
  { programId, draftId }: DraftKey,
  { isStopped = false } = {},
): Promise<boolean> => {
  const { rows } = await sql<{ state: string }>`update placement_draft set beat_at = now(),
      attempts = attempts - ${isStopped ? 1 : 0},
      state = case when attempts >= ${maxAttempts} and not ${isStopped}::boolean then 'failed' else 'queued' end,
      error = case when attempts >= ${maxAttempts} and not ${isStopped}::boolean
        then 'The run was broken off three times. What it had found is kept.' else '' end,
      finished_at = case when attempts >= ${maxAttempts} and not ${isStopped}::boolean then clock_timestamp() end
    where program_id = ${programId} and id = ${draftId} and state in ('queued', 'running') returning state`.execute(
    db,
  )
  return rows[0]?.state === 'queued'
}

/** Runs of all programs without a heartbeat for a minute. */
export const listLostDrafts = async (everywhere: pg.Pool): Promise<DraftKey[]> =>
  (
    await everywhere.query<DraftKey>(
      `select d.program_id as "programId", d.id as "draftId" from placement_draft d
      where d.state in ('queued', 'running') and d.beat_at < now() - interval '1 minute' order by 1, 2`,
    )
  ).rows

/** Asks a run to stop, which it notices within a second. A run that nobody has claimed yet stops at once. */
export const stopRun = async (db: Db, { programId, draftId }: DraftKey): Promise<void> => {
  await sql`update placement_draft set wish = case when state = 'running' then 'stop' else '' end,
      state = case when state = 'queued' then 'stopped' else state end,
      finished_at = case when state = 'queued' then now() end
    where program_id = ${programId} and id = ${draftId}`.execute(db)
}

/** Deletes or restores a draft; a run of it ends. */
export const setDraftDeleted = async (
  db: Db,
  programId: number,
  { planId, draftId }: { planId: number; draftId: number },
  isDeleted: boolean,
): Promise<boolean> => {
  const { rows } = await sql`update placement_draft set deleted_at = ${isDeleted ? sql`now()` : null},
      state = case when state in ('queued', 'running') then 'stopped' else state end
    where program_id = ${programId} and id = ${draftId} and plan_id = ${planId}
      and deleted_at is ${isDeleted ? sql`null` : sql`not null`} returning id`.execute(db)
  return rows.length > 0
}

/** Locks or unlocks cells; answers how many were found. */
export const setLocks = async (
  db: Db,
  { programId, draftId }: DraftKey,
  cells: readonly { StudentId: number; Block: number }[],
  isLocked: boolean,
): Promise<number> => {
  const { rows } = await sql`update placement_cell c set is_locked = ${isLocked}
    from jsonb_to_recordset(${JSON.stringify(cells)}::jsonb) as n ("StudentId" bigint, "Block" smallint)
    where c.program_id = ${programId} and c.draft_id = ${draftId} and c.student_id = n."StudentId" and c.block = n."Block"
    returning c.student_id`.execute(db)
  return rows.length
}

/** Moves students to other shifts in a block, or to none. */
export const moveCells = async (
  db: Db,
  { programId, draftId }: DraftKey,
  block: number,
  cells: readonly { StudentId: number; cell: DraftCell | undefined; isLocked: boolean }[],
): Promise<void> => {
  const ids = cells.map(({ StudentId }) => StudentId)
  await sql`delete from placement_cell where program_id = ${programId} and draft_id = ${draftId} and block = ${block}
    and student_id = any (${ids}::bigint[])`.execute(db)
  const given = cells.flatMap(({ cell, isLocked }) => (cell ? [{ ...cell, IsLocked: isLocked }] : []))
  await sql`insert into placement_cell (program_id, draft_id, student_id, block, site_shift_id, weekdays, rank, rotation_id, is_locked)
    select ${programId}, ${draftId}, n."StudentId", ${block}, n."SiteShiftId", n."Weekdays", n."Rank", n."RotationId", n."IsLocked"
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as n ("StudentId" bigint, "SiteShiftId" bigint, "Weekdays" smallint[], "Rank" smallint, "RotationId" bigint, "IsLocked" boolean)
    order by n."StudentId"`.execute(db)
}

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
