import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { everyProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { missedValues, unmatchedValues } from './emails.rules.ts'
import { takeMissedToRemind, takeUnmatchedToRemind } from './reminders.commands.ts'

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Reminds the students of one program of shifts without a record and of punches that lack their other half. */
export const remindProgram = async (db: Db, programId: number, address: string): Promise<void> => {
  const missed = await takeMissedToRemind(db, programId)
  const unmatched = await takeUnmatchedToRemind(db, programId)
  await notifyPeople(db, programId, [
    ...missed.map(({ StudentId, Shifts }) => ({
      accountId: StudentId,
      kind: 'time_missed',
      text: `${many(Shifts.length, 'shift')} without a time record: report your hours or the absence.`,
      link: '/new/clock',
    })),
    ...unmatched.map(({ StudentId, Records }) => ({
      accountId: StudentId,
      kind: 'time_unmatched',
      text: `${many(Records.length, 'punch').replace(/punchs$/, 'punches')} without the other half: report the missing time.`,
      link: '/new/clock',
    })),
  ])
  await queueTemplatedEmails(db, [
    ...missed
      .filter(({ Email }) => Email !== '')
      .map((student) => ({
        programId,
        accountId: student.StudentId,
        label: 'TIME_missed' as const,
        recipient: student.Email,
        values: missedValues(student, address),
      })),
    ...unmatched
      .filter(({ Email }) => Email !== '')
      .map((student) => ({
        programId,
        accountId: student.StudentId,
        label: 'TIME_unmatched' as const,
        recipient: student.Email,
        values: unmatchedValues(student, address),
      })),
  ])
}

/** Reminds students of missing punches, at sites where "Remind students of missing punches" is checked. */
export const remindOfPunches = job({
  name: 'time:remind-of-punches',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '5 * * * *',
  work: (_payload, services) =>
    inPrograms(services, everyProgram, async (db, programId) => {
      // Two workers at once take turns.
      await sql`select pg_advisory_xact_lock(hashtext('time:remind-of-punches'), ${programId}::int)`.execute(
        db,
      )
      await remindProgram(db, programId, services.publicUrl() + services.config.appRoot)
    }),
})
