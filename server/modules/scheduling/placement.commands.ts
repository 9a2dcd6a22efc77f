import { sql } from 'kysely'
import { dayKey, type Placement } from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { mealBreakOf } from './planned-hours.queries.ts'

/** A day of a shift whose places are counted. */
export interface ShiftDay {
  siteShiftId: number
  date: string
}

/**
 * Locks the counters of the days, always in the same order, and answers what is taken now. Days without a counter get one
 * with the shift's capacity of today.
 */
export const lockDays = async (
  db: Db,
  programId: number,
  days: readonly ShiftDay[],
): Promise<Map<string, { Placed: number; Capacity: number }>> => {
  const { rows } = await sql<{ site_shift_id: number; date: string; placed: number; capacity: number }>`
    insert into shift_day as day (program_id, site_shift_id, date, placed, capacity)
    select h.program_id, h.id, wanted.date, 0, h.capacity
    from (select distinct site_shift_id, date from jsonb_to_recordset(${JSON.stringify(
      days.map(({ siteShiftId, date }) => ({ site_shift_id: siteShiftId, date })),
    )}::jsonb) as each (site_shift_id bigint, date date)) as wanted
    join site_shift h on h.program_id = ${programId} and h.id = wanted.site_shift_id
    order by h.id, wanted.date
    on conflict (program_id, site_shift_id, date) do update set placed = day.placed
    returning site_shift_id, date, placed, capacity`.execute(db)
  return new Map(
    rows.map(({ site_shift_id, date, placed, capacity }) => [
      dayKey(site_shift_id, date),
      { Placed: placed, Capacity: capacity },
    ]),
  )
}

/** A place ready to be written. */
export interface WrittenPlacement extends Placement {
  SiteId: number
}

const asRows = (placements: readonly WrittenPlacement[]): string =>
  JSON.stringify(
    placements.map((placement) => ({
      id: placement.Id ?? null,
      rotation_id: placement.RotationId,
      site_shift_id: placement.SiteShiftId,
      site_id: placement.SiteId,
      student_id: placement.StudentId,
      date: placement.Date,
      starts_at: new Date(placement.StartsAt).toISOString(),
      ends_at: new Date(placement.EndsAt).toISOString(),
    })),
  )

const recordset = sql`(id bigint, rotation_id bigint, site_shift_id bigint, site_id bigint, student_id bigint, date date,
  starts_at timestamptz, ends_at timestamptz)`

/** Writes new assignments in one statement; answers their ids. */
export const insertAssignments = async (
  db: Db,
  programId: number,
  accountId: number | null,
  placements: readonly WrittenPlacement[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into shift_assignment (program_id, rotation_id, site_shift_id, site_id, student_id, date, starts_at, ends_at,
      meal_minutes, created_by)
    select ${programId}::bigint, w.rotation_id, w.site_shift_id, w.site_id, w.student_id, w.date, w.starts_at, w.ends_at,
      ${mealBreakOf('w')}, ${accountId}::bigint
    from jsonb_to_recordset(${asRows(placements)}::jsonb) as w ${recordset}, program p where p.id = ${programId}
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Writes assignments again in one statement: another shift, student or date, and no longer removed. */
export const rewriteAssignments = async (
  db: Db,
  programId: number,
  placements: readonly WrittenPlacement[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    update shift_assignment a set site_shift_id = w.site_shift_id, site_id = w.site_id, student_id = w.student_id,
      date = w.date, starts_at = w.starts_at, ends_at = w.ends_at, meal_minutes = ${mealBreakOf('w')}, removed_at = null, removed_by = null
    from jsonb_to_recordset(${asRows(placements)}::jsonb) as w ${recordset}, program p
    where a.program_id = ${programId} and a.id = w.id and p.id = a.program_id
    returning a.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Marks assignments as removed; answers how many stood. */
export const markRemoved = async (
  db: Db,
  programId: number,
  accountId: number,
  ids: readonly number[],
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`update shift_assignment
    set removed_at = now(), removed_by = ${accountId}
    where program_id = ${programId} and id = any (${[...ids]}::bigint[]) and removed_at is null
    returning id`.execute(db)
  return rows.length
}
