import { z } from 'zod'
import { ownCommand } from '#server/core/config/own-command.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Notice, notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { everyProgram, inProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { sumCheck } from '#server/core/runtime/sum-check.ts'
import { digestRequirementsOf, takeDue } from './requirements.commands.ts'
import { deleteOldProofs } from './retention.jobs.ts'
import { countWrongStandings } from './standings.queries.ts'
import { verificationSums } from './verification-sums.commands.ts'

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
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '20 11 * * *',
  work: (_payload, services) => inPrograms(services, everyProgram, remindOfRequirementsOf),
})

/** Tells the staff of every program once a week what waits, has expired and expires soon. */
export const digestRequirements = job({
  name: 'requirements:digest',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '40 11 * * *',
  work: (_payload, services) => inPrograms(services, everyProgram, digestRequirementsOf),
})

/** Judges background checks and immunizations anew where a program's day has begun; until then their pages count by hand. */
export const beginVerificationDays = job({
  name: 'requirements:begin-day',
  payload: z.object({}).loose(),
  cron: '*/15 * * * *',
  work: async (_payload, { everywhere }) => {
    const { rows } = await everywhere.query<{ program_id: number; type: string }>(
      `select d.program_id, d.type from verification_day d join program p on p.id = d.program_id
      where d.day <> (now() at time zone p.time_zone)::date order by 1, 2`,
    )
    for (const { program_id, type } of rows)
      await everywhere.query('call keep_verifications($1, $2, null, null)', [program_id, type])
  },
})

/** Proves every night what is kept of background checks and immunizations. */
export const checkVerifications = sumCheck(verificationSums, {
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
      const count = await inProgram(pool, id, (db) => countWrongStandings(db, id))
      if (count > 0) wrong.push(`program ${id}: ${count} of student_requirement`)
    }
    if (wrong.length > 0)
      throw new Error(
        `Requirements of students differ from what was shown (${wrong.slice(0, 20).join('; ')}). Run: ${ownCommand('admin', 'recount')}`,
      )
  },
})

export const documentJobs = [
  remindOfRequirements,
  digestRequirements,
  beginVerificationDays,
  checkVerifications,
  checkStandings,
  deleteOldProofs,
]
