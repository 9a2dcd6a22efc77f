import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Notice, queueNotices } from '#server/core/mail/notices.ts'
import { expiredOn } from './expired.queries.ts'
import { isAskedOn } from './season.queries.ts'
import { isExpiringOn } from './states.queries.ts'

/** Days before a requirement expires on which it is reminded of; 0 is when it has expired. */
const steps = [60, 30, 7, 0]
/** What expired longer ago is no news. */
const maxExpiredDays = 30

interface Due {
  StudentId: number
  RequirementId: number
  Line: string
  IsExpired: boolean
}

/** Takes the reminders that are due on the program's day; a late one comes once, not once for each missed step. */
export const takeDue = async (db: Db, programId: number): Promise<Due[]> => {
  const { rows } = await sql<Due>`
    with today as (select (now() at time zone time_zone)::date as day from program where id = ${programId}),
    due as (
      select k.student_id, k.requirement_id, k.expires_on, q.name, k.expires_on < today.day as is_expired,
        case when k.expires_on < today.day then 0
          else (select min(step) from unnest(${steps}::int[]) step where step > 0 and k.expires_on - today.day <= step) end as step
      from today, student_requirement k
      join requirement q on q.program_id = k.program_id and q.id = k.requirement_id and q.deleted_at is null
        and q.scope = 'program'
      join account u on u.program_id = k.program_id and u.id = k.student_id and u.access_level = ${Level.Student}
        and u.deleted_at is null and u.deactivated_at is null
      where k.program_id = ${programId} and k.status in ('accepted', 'inProgress') and k.site_id = 0
        and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)
        -- The end of a season is no end that anybody has to do something about before it begins again.
        and ${isAskedOn(sql`(k.expires_on + 1)`)}
        and k.expires_on between today.day - ${maxExpiredDays}::int and today.day + ${Math.max(...steps)}::int),
    taken as (
      insert into requirement_reminder (program_id, student_id, requirement_id, expires_on, step)
      select ${programId}, student_id, requirement_id, expires_on, step from due
      on conflict do nothing returning student_id, requirement_id)
    select d.student_id as "StudentId", d.requirement_id as "RequirementId", d.is_expired as "IsExpired",
      d.name || ': ' || to_char(d.expires_on, 'MM/DD/YYYY') as "Line"
    from taken t join due d on d.student_id = t.student_id and d.requirement_id = t.requirement_id
    order by d.expires_on, d.student_id`.execute(db)
  return rows
}

/** What the staff of a program should know this week; no lines where there is nothing. */
const weekOf = async (db: Db, programId: number, today: string): Promise<string[]> => {
  const { rows } = await sql<{ waiting: number; requests: number; expired: number; soon: number }>`
    select (select count(*) from requirement_proof p join account u on u.id = p.student_id and u.deleted_at is null and u.deactivated_at is null
        where p.program_id = ${programId} and p.state = 'submitted' and p.deleted_at is null) as waiting,
      (select count(*) from requirement_request r
        join account u on u.program_id = r.program_id and u.id = r.student_id and u.deleted_at is null and u.deactivated_at is null
        where r.program_id = ${programId} and r.state = 'open') as requests,
      (select count(*) ${expiredOn(programId, today)}) as expired,
      (select count(*) from student_requirement s
        join requirement q on q.program_id = s.program_id and q.id = s.requirement_id and q.deleted_at is null and q.scope = 'program'
        join account u on u.program_id = s.program_id and u.id = s.student_id and u.deleted_at is null and u.deactivated_at is null
          and u.access_level = ${Level.Student}
        where s.program_id = ${programId} and s.site_id = 0 and ${isExpiringOn(sql`${today}::date`, 30)}
          and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)) as soon`.execute(db)
  // One row of counts.
  const { waiting, requests, expired, soon } = rows[0]!
  const line = (count: number, one: string, other: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : other}`]
  return [
    ...line(waiting, 'proof waits to be reviewed', 'proofs wait to be reviewed'),
    ...line(requests, 'student asks for an exemption', 'students ask for exemptions'),
    ...line(
      expired,
      'expired requirement keeps a student from shifts',
      'expired requirements keep students from shifts',
    ),
    ...line(soon, 'requirement expires within 30 days', 'requirements expire within 30 days'),
  ]
}

/** Tells the coordinators of one program once a week, from its Monday on. */
export const digestRequirementsOf = async (db: Db, programId: number): Promise<void> => {
  const { rows } = await sql<{ today: string }>`
    insert into requirement_digest (program_id, week)
    select id, date_trunc('week', now() at time zone time_zone)::date from program where id = ${programId}
    on conflict do nothing
    returning (select (now() at time zone time_zone)::date from program where id = ${programId}) as today`.execute(
    db,
  )
  if (!rows[0]) return
  const lines = await weekOf(db, programId, rows[0].today)
  if (lines.length === 0) return
  const { rows: staff } = await sql<{ id: number }>`select id from account where program_id = ${programId}
    and access_level = ${Level.Coord} and deleted_at is null and deactivated_at is null order by id`.execute(
    db,
  )
  await queueNotices(
    db,
    programId,
    staff.flatMap(({ id }) =>
      lines.map(
        (line, index): Notice => ({ accountId: id, label: 'REQUIREMENT_weekly', key: `week:${index}`, line }),
      ),
    ),
  )
}
