import { sql } from 'kysely'
import type { Draft, DraftFigures, DraftInput } from '#contract/placement/drafts.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { DraftCell } from './draft.rules.ts'
import type { DraftKey } from './drafts.queries.ts'

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
