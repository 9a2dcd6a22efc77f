import type { Db } from '#server/core/database/pool.ts'

export const dayOffColumns = [
  'id as Id',
  'name as Name',
  'start_date as StartDate',
  'end_date as EndDate',
] as const

/** The days off that are at least partly between two dates. */
export const listDaysOff = (
  db: Db,
  programId: number,
  { FromDate, ThroughDate }: { FromDate?: string | undefined; ThroughDate?: string | undefined },
) =>
  db
    .selectFrom('day_off')
    .select(dayOffColumns)
    .where('program_id', '=', programId)
    .$if(Boolean(FromDate), (days) => days.where('end_date', '>=', FromDate!))
    .$if(Boolean(ThroughDate), (days) => days.where('start_date', '<=', ThroughDate!))
    .orderBy('start_date')
    .orderBy('id')
    .execute()
