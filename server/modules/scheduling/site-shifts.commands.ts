import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { SiteShiftInput } from '#contract/scheduling/site-shifts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'
import { mealBreakOf } from './planned-hours.queries.ts'
import type { DayTimes } from './site-shifts.queries.ts'

type Input = z.output<typeof SiteShiftInput>

const values = (input: Input) => ({
  site_id: input.SiteId,
  code: input.Code,
  name: input.Name,
  type: input.Type,
  weekdays: input.Weekdays,
  start_time: input.StartTime,
  end_time: input.EndTime,
  capacity: input.Capacity,
  start_date: input.StartDate,
  end_date: input.EndDate,
})

/** Adds a shift of a site; answers its id. */
export const addSiteShift = (db: Db, programId: number, accountId: number, input: Input): Promise<number> =>
  addRow(db, 'site_shift', { program_id: programId, created_by: accountId, ...values(input) })

/** Changes a shift itself, not the days and assignments that it has. */
export const changeSiteShift = (db: Db, key: RowKey, input: Input): Promise<boolean> =>
  changeRow(db, 'site_shift', key, values(input))

export const setSiteShiftDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'site_shift', key, isDeleted)

/** Gives the days from `fromDate` on the new capacity; earlier days keep the one they were filled under. */
export const setDayCapacity = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  fromDate: string,
  capacity: number,
): Promise<void> => {
  await db
    .updateTable('shift_day')
    .set({ capacity })
    .where('program_id', '=', programId)
    .where('site_shift_id', '=', siteShiftId)
    .where('date', '>=', fromDate)
    .execute()
}

/**
 * Gives days of shifts their capacity: `wanted` selects `program_id`, `shift`, `date` and `places`. False where a day holds more students,
 * so that the caller takes everything back.
 */
export const setDayCapacities = async (db: Db, wanted: RawBuilder<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ wanted: number; given: number }>`
    with wanted as (${wanted}),
    given as (
      insert into shift_day as day (program_id, site_shift_id, date, placed, capacity)
      select program_id, shift, date, 0, places from wanted order by shift, date
      on conflict (program_id, site_shift_id, date) do update set capacity = excluded.capacity where day.placed <= excluded.capacity
      returning 1)
    select (select count(*)::int from wanted) as wanted, (select count(*)::int from given) as given`.execute(
    db,
  )
  return rows[0]?.wanted === rows[0]?.given
}

/** Moves the assignments of the shift to the new times of their days. */
export const moveAssignmentTimes = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  times: readonly DayTimes[],
): Promise<void> => {
  await sql`update shift_assignment a set starts_at = t.starts_at, ends_at = t.ends_at, meal_minutes = ${mealBreakOf('t')}
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as t (date date, starts_at timestamptz, ends_at timestamptz), program p
    where p.id = a.program_id and a.program_id = ${programId} and a.site_shift_id = ${siteShiftId} and a.date = t.date
      and a.removed_at is null`.execute(db)
}
