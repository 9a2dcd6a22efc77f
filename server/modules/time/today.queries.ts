import { sql } from 'kysely'
import { recordsFrom, recordsThrough } from './attendance.queries.ts'
import { changedShifts, keptAround, keptAt } from './kept.queries.ts'

/** As of when these shifts and the hours of rotations are kept. Part of a statement that begins with `shiftsOfToday`. */
export const keptMoment = sql`(select m.at from moment m)`

/**
 * The shifts that a page of today looks at, once for all its parts: those of the day, and those that have begun and had not ended at
 * the moment as of which the hours of rotations are kept. With each stands what its own records say: `is_open`, somebody
 * is clocked in and has not left (null without a clock-in), `is_over`, it was left or excused, and `is_recorded`, a record
 * speaks for it as `isUnrecorded` asks, without the records that are of its day only; `records_from` and
 * `records_through` are between which moments any can be. `today` is the program's day.
 *
 * They are kept (`docs/decisions/stored-sums.md`); those that something has happened to since are read anew, and all of them
 * where the days are not kept.
 */
export const shiftsOfToday = (programId: number, today: string) => {
  // The day of a shift is that of its begin where its site is, which is at most 14 hours from that here.
  const from = sql`(select least(${today}::date - 1, (${keptMoment} - interval '38 hours')::date))`
  const through = sql`(select (now() + interval '14 hours')::date)`
  const areKept = sql`(select ${keptMoment}::date - ${sql.lit(keptAround.before)} <= ${from} and ${keptMoment}::date + ${sql.lit(keptAround.after)} >= ${through})`
  const isMeant = sql`(a.date = ${today}::date or a.ends_at > ${keptMoment} and a.starts_at <= now())`
  const columns = sql`a.program_id, a.assignment_id as id, a.date, a.student_id, a.site_shift_id, a.starts_at, a.ends_at,
    a.is_open, a.is_over, a.is_recorded, ${recordsFrom} as records_from, ${recordsThrough} as records_through`
  return sql`
    moment as materialized (select ${keptAt(programId)} as at),
    shifts_changed as materialized (select c.id as assignment_id from (${changedShifts(programId)}) c (id)),
    today as materialized (
      select ${columns} from shift_kept a
      where a.program_id = ${programId} and a.date >= ${from} and a.date <= ${through} and ${areKept} and ${isMeant}
        and a.assignment_id not in (select c.assignment_id from shifts_changed c)
      union all
      select ${columns} from (select array_agg(c.assignment_id) as ids from shifts_changed c where ${areKept}) c
      cross join lateral shifts_with_records(${programId}, c.ids) a
      where a.date >= ${from} and a.date <= ${through} and ${isMeant}
      union all
      select ${columns} from (
        select array_agg(a.id) as ids from shift_assignment a
        where a.program_id = ${programId} and a.removed_at is null and a.date >= ${from} and a.date <= ${through} and ${isMeant}
          and not ${areKept}) s
      cross join lateral shifts_with_records(${programId}, s.ids) a)`
}
