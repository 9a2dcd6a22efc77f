import { type RawBuilder, sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { msOf } from '#server/core/database/moments.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { creditRecords } from './credit.commands.ts'
import { longestPair } from './punch.rules.ts'
import { wallClock } from './zone.rules.ts'

/** Refuses to join a clock-in and a clock-out, as `r` and `q` whichever way, that can no longer be a pair since one was edited alone. */
const refuseBadPairsOfRestored = async (db: Db, where: RawBuilder<unknown>): Promise<void> => {
  const shift = (
    of: 'r' | 'q',
  ) => sql`(select jsonb_build_object('startsAt', ${msOf('a.starts_at')}, 'endsAt', ${msOf('a.ends_at')})
    from shift_assignment a where a.program_id = ${sql.ref(of)}.program_id and a.id = ${sql.ref(of)}.assignment_id)`
  const { rows } = await sql<{
    student: string
    kind: 'in' | 'out'
    at: number
    otherAt: number
    shifts: ({ startsAt: number; endsAt: number } | null)[]
    zone: string
  }>`
    select ${personName('u')} as student, r.kind, ${msOf('r.occurred_at')} as at, ${msOf('q.occurred_at')} as "otherAt",
      jsonb_build_array(${shift('r')}, ${shift('q')}) as shifts, coalesce(s.time_zone, p.time_zone) as zone
    from time_record r join time_record q on q.program_id = r.program_id and q.id = r.partner_id
    join program p on p.id = r.program_id
    join account u on u.program_id = r.program_id and u.id = r.student_id
    left join site s on s.program_id = r.program_id and s.id = r.site_id
    where ${where} order by r.occurred_at`.execute(db)
  for (const { student, kind, at, otherAt, shifts, zone } of rows) {
    const length = kind === 'in' ? otherAt - at : at - otherAt
    const isLate = length <= 0
    if (!isLate && length <= Math.max(...shifts.map(longestPair))) continue
    const text = (moment: number) => {
      const { date, time } = wallClock(moment, zone)
      return `${formatDate(date)} ${time}`
    }
    const [begin, end] = kind === 'in' ? [at, otherAt] : [otherAt, at]
    throw fail(isLate ? timeFailures.restored_out_before_in : timeFailures.restored_too_long, {
      Student: student,
      Begin: text(begin),
      End: text(end),
      IsOut: kind === 'out',
    })
  }
}

/**
 * The other halves of records that no longer count are unmatched, without hours, and wait for approval again. The records themselves
 * keep in `partner_id` which these are: it makes a pair only where both halves name each other.
 */
export const freePartners = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`update time_record q set partner_id = null, minutes = 0, clock_minutes = null, meal_minutes = 0,
      decided_at = case when q.status = 'approved' then null else q.decided_at end,
      decided_by = case when q.status = 'approved' then null else q.decided_by end,
      status = case when q.status = 'approved' then 'pending' else q.status end
    from time_record r
    where r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[]) and r.partner_id is not null
      and q.program_id = r.program_id and q.id = r.partner_id and q.partner_id = r.id
      and not (q.id = any (${[...ids]}::bigint[]))`.execute(db)
  await creditRecords(db, programId, ids)
}

/** A record that was brought back and still counts, as `r`; its other half, as `q`. */
const isBack = (programId: number, ids: readonly number[]) =>
  sql`r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[]) and r.kind in ('in', 'out')
    and r.deleted_at is null and r.status <> 'rejected' and r.partner_id is not null`
const isItsOther = sql`q.program_id = r.program_id and q.id = r.partner_id`
const isAway = sql`(q.deleted_at is not null or q.status = 'rejected')`

/**
 * Of the records, those that count again take their other halves back, unless those have found another one meanwhile. Where the
 * other half is still deleted or rejected, it is the one that remembers, until it comes back itself.
 *
 * @throws Failure 422 where the two can no longer be a pair
 */
export const rejoinPartners = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`update time_record q set partner_id = r.id from time_record r
    where ${isBack(programId, ids)} and ${isItsOther} and ${isAway} and q.partner_id is null`.execute(db)
  const isFree = sql`${isBack(programId, ids)} and ${isItsOther} and not ${isAway} and q.partner_id is null`
  await refuseBadPairsOfRestored(db, isFree)
  await sql`update time_record q set partner_id = r.id from time_record r where ${isFree}`.execute(db)
  await sql`update time_record r set partner_id = null
    where ${isBack(programId, ids)} and not exists (
      select from time_record q where ${isItsOther} and not ${isAway} and q.partner_id = r.id)`.execute(db)
  await creditRecords(db, programId, ids)
}
