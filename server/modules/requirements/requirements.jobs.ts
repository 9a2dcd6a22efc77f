import { sql } from 'kysely'
import { z } from 'zod'
import { Level } from '#contract/core/levels.ts'
import { type Db, transaction } from '#server/core/database/pool.ts'
import { type Notice, notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { sumCheck } from '#server/core/runtime/sum-check.ts'
import { countWrongStandings } from './standings.queries.ts'

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
const takeDue = async (db: Db, programId: number): Promise<Due[]> => {
  const { rows } = await sql<Due>`
    with today as (select (now() at time zone time_zone)::date as day from program where id = ${programId}),
    due as (
      select k.student_id, k.requirement_id, k.expires_on, q.name, k.expires_on < today.day as is_expired,
        case when k.expires_on < today.day then 0
          else (select min(step) from unnest(${steps}::int[]) step where step > 0 and k.expires_on - today.day <= step) end as step
      from today, student_requirement k
      join requirement q on q.program_id = k.program_id and q.id = k.requirement_id and q.deleted_at is null
      join account u on u.program_id = k.program_id and u.id = k.student_id and u.access_level = ${Level.Student}
        and u.deleted_at is null and u.deactivated_at is null
      where k.program_id = ${programId} and k.status = 'accepted'
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

/** Reminds the students of one program of requirements that expire or have expired. */
export const remindOfRequirementsOf = async (db: Db, programId: number): Promise<void> => {
  const due = await takeDue(db, programId)
  await notifyPeople(
    db,
    programId,
    due.map(({ StudentId, Line, IsExpired }) => ({
      accountId: StudentId,
      kind: IsExpired ? 'requirement_expired' : 'requirement_expiring',
      text: `${IsExpired ? 'Expired' : 'Expires soon'}: ${Line}`,
      link: '/new/requirements',
    })),
  )
  await queueNotices(
    db,
    programId,
    due.map(
      ({ StudentId, RequirementId, Line, IsExpired }): Notice => ({
        accountId: StudentId,
        label: IsExpired ? 'REQUIREMENT_expired' : 'REQUIREMENT_expiring',
        key: `requirement:${RequirementId}`,
        line: Line,
      }),
    ),
  )
}

/** Reminds of requirements 60, 30 and 7 days before they expire, and when they have. */
export const remindOfRequirements = job({
  name: 'requirements:remind',
  payload: z.object({}).loose(),
  cron: '20 11 * * *',
  work: async (_payload, services) => {
    const { rows: programs } = await services.pool.query<{ id: number }>(
      'select id from program where deleted_at is null order by id',
    )
    for (const { id } of programs)
      await transaction(services.pool, { accountId: null, programIds: [id] }, (db) =>
        remindOfRequirementsOf(db, id),
      )
  },
})

/** Judges background checks and immunizations anew where a program's day has begun; until then their pages count by hand. */
export const beginVerificationDays = job({
  name: 'requirements:begin-day',
  payload: z.object({}).loose(),
  cron: '*/15 * * * *',
  work: async (_payload, { pool }) => {
    await pool.query('select move_verification_days()')
  },
})

/** Proves every night what is kept of background checks and immunizations. */
export const checkVerifications = sumCheck('verification', {
  name: 'requirements:check-sums',
  cron: '40 7 * * *',
})

/** Proves every night what is kept of students and requirements: judges all of it anew, one program at a time. */
export const checkStandings = job({
  name: 'requirements:check-standings',
  payload: z.object({}).loose(),
  cron: '50 7 * * *',
  work: async (_payload, { pool }) => {
    const { rows } = await pool.query<{ id: number }>('select id from program order by id')
    const wrong: string[] = []
    for (const { id } of rows) {
      const count = await transaction(pool, { accountId: null, programIds: [id] }, (db) =>
        countWrongStandings(db, id),
      )
      if (count > 0) wrong.push(`program ${id}: ${count} of student_requirement`)
    }
    if (wrong.length > 0)
      throw new Error(
        `Requirements of students differ from what was shown (${wrong.slice(0, 20).join('; ')}). Run: npm run admin -- recount`,
      )
  },
})

export const documentJobs = [remindOfRequirements, beginVerificationDays, checkVerifications, checkStandings]
