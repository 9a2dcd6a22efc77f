import { type RawBuilder, sql } from 'kysely'
import type { ProjectionParts } from '#contract/time/hours-summary.ts'
import type { Db } from '#server/core/database/pool.ts'
import { plannedMinutes } from '../scheduling/planned-hours.queries.ts'

/** Whether an assigned shift is still to bring hours: it has not ended, and nothing is recorded of it. */
export const isAhead = (shift: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${shift}.ends_at`)} > now() and not exists (select from time_record r
    where r.program_id = ${sql.ref(`${shift}.program_id`)} and r.assignment_id = ${sql.ref(`${shift}.id`)}
      and r.kind in ('out', 'absence', 'exception') and r.deleted_at is null and r.status <> 'rejected'))`

/** The share of past shifts that was missed. */
export const missedShare = ({ AbsentDays, PastDays }: ProjectionParts): number =>
  PastDays === 0 ? 0 : Math.min(1, AbsentDays / PastDays)

type Day = { date: string; minutes: number }

/** The days that will bring hours: those of the assigned shifts, and that of planned makeup. */
export const aheadDays = (
  shifts: readonly Day[],
  { MakeupPlanned, MakeupDate }: ProjectionParts,
): readonly Day[] =>
  MakeupDate === null
    ? shifts
    : [...shifts, { date: MakeupDate, minutes: MakeupPlanned }].toSorted((one, other) =>
        one.date < other.date ? -1 : 1,
      )

/** The days on which students have shifts to come, with their minutes; of others only the last one. */
export const listShiftsAhead = async (
  db: Db,
  programId: number,
  { whole, others }: { whole: readonly number[]; others: readonly number[] },
): Promise<Map<number, Day[]>> => {
  if (whole.length + others.length === 0) return new Map()
  const { rows } = await sql<{ student: number; days: Day[] }>`
    with wanted as (select unnest(${[...whole, ...others]}::bigint[]) as id),
    days as (
      select a.student_id, a.date, sum(${plannedMinutes('a')}) as minutes,
        max(a.date) over (partition by a.student_id) as last
      from wanted w join shift_assignment a on a.program_id = ${programId} and a.student_id = w.id
      where a.removed_at is null and a.date >= (now() - interval '38 hours')::date and ${isAhead('a')}
      group by 1, 2)
    select d.student_id as student, json_agg(json_build_object('date', d.date, 'minutes', d.minutes) order by d.date) as days
    from days d
    where d.date = d.last or d.student_id = any (${[...whole]}::bigint[])
    group by 1`.execute(db)
  return new Map(rows.map(({ student, days }) => [student, days]))
}
