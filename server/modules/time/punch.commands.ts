import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { NewPunch } from './punch.rules.ts'

/** The running rotation whose assignments of the student are nearest, for a punch that belongs to no assignment. */
const rotationAround = (programId: number, studentId: number, date: string) => sql`
  (select n.rotation_id
    from (select a.rotation_id, min(abs(a.date - ${date}::date)) as days from shift_assignment a
      where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
        and a.date between ${date}::date - 366 and ${date}::date + 366
      group by a.rotation_id) n
    join rotation t on t.program_id = ${programId} and t.id = n.rotation_id
      and ${date}::date between t.start_date - 1 and t.end_date + 1
    order by n.days limit 1)`

/** Keeps a punch and joins it with its other half, in one statement; answers its id. */
export const insertPunch = async (
  db: Db,
  who: { programId: number; studentId: number; key: string; hash: Buffer; address: string },
  punch: NewPunch,
): Promise<number> => {
  const partnerId = punch.partner?.id ?? null
  const { minutes, clockMinutes, mealMinutes } = punch.credit
  const made = sql<{ id: number }>`
    insert into time_record (program_id, student_id, site_id, kind, occurred_at, date, source, assignment_id,
      rotation_id, partner_id, minutes, clock_minutes, meal_minutes, insight, reasons, latitude, longitude, accuracy_m, distance_m, is_inside,
      address, network_name, shift_type, offset_minutes, idempotency_key, request_hash, created_by)
    values (${who.programId}, ${who.studentId}, ${punch.site.siteId}, ${punch.kind}, to_timestamp(${punch.at / 1000}),
      ${punch.date}, ${punch.source}, ${punch.shift?.assignmentId ?? null},
      ${punch.rotationId ?? rotationAround(who.programId, who.studentId, punch.date)},
      ${partnerId}, ${minutes}, ${clockMinutes === minutes ? null : clockMinutes}, ${mealMinutes}, ${punch.insight}, ${JSON.stringify(punch.reasons)}::jsonb,
      ${punch.latitude}, ${punch.longitude}, ${punch.accuracyM}, ${punch.distanceM}, ${punch.isInside},
      ${who.address}::inet, ${punch.networkName}, ${punch.shiftType}, ${punch.offset}, ${who.key}, ${who.hash},
      ${who.studentId})
    returning id`
  const kept =
    partnerId === null
      ? made
      : sql<{ id: number }>`
        with made as (${made}), paired as (
          update time_record q set partner_id = made.id from made
          where q.program_id = ${who.programId} and q.id = ${partnerId})
        select id from made`
  const { rows } = await kept.execute(db)
  return rows[0]!.id
}
