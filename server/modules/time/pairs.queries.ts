import { type RawBuilder, sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { atSite } from '#contract/time/wording.ts'
import { msOf } from '#server/core/database/moments.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { wallClock } from './zone.rules.ts'

/** Refuses a second clock-in, or a second clock-out, of the student in the same minute. */
export const refuseSamePunch = async (
  db: Db,
  programId: number,
  { studentId, kind, at }: { studentId: number; kind: 'in' | 'out'; at: number },
  exceptId = 0,
): Promise<void> => {
  const minute = Math.floor(at / 60_000) * 60
  const { rows } = await sql<{ zone: string }>`
    select coalesce(s.time_zone, p.time_zone) as zone
    from time_record r join program p on p.id = r.program_id
    left join site s on s.program_id = r.program_id and s.id = r.site_id
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null and r.status <> 'rejected'
      and r.kind = ${kind} and r.id <> ${exceptId}
      and r.occurred_at >= to_timestamp(${minute}) and r.occurred_at < to_timestamp(${minute + 60}) limit 1`.execute(
    db,
  )
  const found = rows[0]
  if (!found) return
  const { date, time } = wallClock(at, found.zone)
  throw fail(timeFailures.same_punch, { IsIn: kind === 'in', Date: formatDate(date), Time: time }, 'Time')
}

/** A punch of a student whose other half is missing, as `r`, and another one of the same kind in its minute, as `f`. */
const isDoubled = sql`r.kind in ('in', 'out') and r.partner_id is null and r.deleted_at is null and r.status <> 'rejected'
  and f.program_id = r.program_id and f.student_id = r.student_id and f.kind = r.kind and f.deleted_at is null and f.status <> 'rejected'
  and f.occurred_at between r.occurred_at - interval '1 minute' and r.occurred_at + interval '1 minute'
  and date_trunc('minute', f.occurred_at) = date_trunc('minute', r.occurred_at)`

/** Refuses, after punches were brought back, one without its other half in whose minute is another one of its kind. */
const refuseDoublesOfRestored = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  const list = sql`${[...ids]}::bigint[]`
  const { rows } = await sql<{ student: string; kind: 'in' | 'out'; at: number; zone: string }>`
    select ${personName('u')} as student, r.kind, ${msOf('r.occurred_at')} as at,
      coalesce(s.time_zone, p.time_zone) as zone
    from time_record r join time_record f on ${isDoubled} and not (f.id = any (${list}))
    join program p on p.id = r.program_id
    join account u on u.program_id = r.program_id and u.id = r.student_id
    left join site s on s.program_id = r.program_id and s.id = r.site_id
    where r.program_id = ${programId} and r.id = any (${list}) order by r.occurred_at limit 1`.execute(db)
  const found = rows[0]
  if (!found) return
  const { date, time } = wallClock(found.at, found.zone)
  throw fail(timeFailures.same_punch_of_restored, {
    Student: found.student,
    IsIn: found.kind === 'in',
    Date: formatDate(date),
    Time: time,
  })
}

/** Refuses, after records were brought back, when their hours now overlap others: the transaction takes them away again. */
export const refuseOverlapsOfRestored = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<void> => {
  if (ids.length === 0) return
  await refuseDoublesOfRestored(db, programId, ids)
  // The hours of a pair belong to its clock-out, whichever half was brought back.
  const spans = (where: RawBuilder<unknown>) => sql`
    select r.program_id, r.id, r.student_id, r.site_id, coalesce(q.occurred_at, r.occurred_at) as from_at,
      coalesce(r.ends_at, r.occurred_at) as to_at
    from time_record r
    left join time_record q on q.program_id = r.program_id and q.id = r.partner_id
    where r.program_id = ${programId} and r.deleted_at is null and r.status <> 'rejected'
      and (r.kind = 'out' and r.partner_id is not null or r.kind not in ('in', 'out') and r.ends_at is not null)
      and ${where}`
  const list = sql`${[...ids]}::bigint[]`
  const { rows } = await sql<{
    student: string
    from: number
    to: number
    site: string | null
    zone: string
  }>`
    with back as materialized (${spans(sql`(r.id = any (${list}) or r.partner_id = any (${list}))`)})
    select ${personName('u')} as student, ${msOf('f.from_at')} as from, ${msOf('f.to_at')} as to,
      s.name as site, coalesce(s.time_zone, p.time_zone) as zone
    from back b
    cross join lateral (${spans(sql`r.student_id = b.student_id and r.id <> b.id
      and r.occurred_at between b.from_at - interval '2 days' and b.to_at + interval '2 days'`)}) f
    join program p on p.id = f.program_id
    join account u on u.program_id = f.program_id and u.id = f.student_id
    left join site s on s.program_id = f.program_id and s.id = f.site_id
    where f.from_at < b.to_at and f.to_at > b.from_at
    order by f.from_at limit 1`.execute(db)
  const found = rows[0]
  if (!found) return
  const begin = wallClock(found.from, found.zone)
  throw fail(timeFailures.overlap_of_restored, {
    Student: found.student,
    Date: formatDate(begin.date),
    Time: begin.time,
    EndTime: wallClock(found.to, found.zone).time,
    At: atSite(found.site),
  })
}
