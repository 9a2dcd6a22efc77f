import type { z } from 'zod'
import type { DayOff, DayOffInput } from '#contract/scheduling/days-off.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { RowKey } from '#server/core/database/rows.ts'
import { dayOffColumns } from './days-off.queries.ts'

const values = ({ Name, StartDate, EndDate }: z.output<typeof DayOffInput>) => ({
  name: Name,
  start_date: StartDate,
  end_date: EndDate,
})

export const addDayOff = (db: Db, programId: number, input: z.output<typeof DayOffInput>): Promise<DayOff> =>
  db
    .insertInto('day_off')
    .values({ program_id: programId, ...values(input) })
    .returning(dayOffColumns)
    .executeTakeFirstOrThrow()

/** The day off as it is then; nothing when there is none. */
export const changeDayOff = (
  db: Db,
  { programId, id }: RowKey,
  input: z.output<typeof DayOffInput>,
): Promise<DayOff | undefined> =>
  db
    .updateTable('day_off')
    .set(values(input))
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .returning(dayOffColumns)
    .executeTakeFirst()

/** Deletes a day off for good; answers what it was, nothing when there was none. */
export const deleteDayOff = (db: Db, { programId, id }: RowKey): Promise<DayOff | undefined> =>
  db
    .deleteFrom('day_off')
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .returning(dayOffColumns)
    .executeTakeFirst()
