import { z } from 'zod'
import { addDays, formatDate } from '#contract/core/calendar.ts'
import { htmlList } from '#server/core/mail/email-text.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { noteWhoLeft, purgeProofs, takeUntold } from './retention.commands.ts'
import { listDirectors, listDue, listProofFiles, noticeDays } from './retention.queries.ts'

/** Names in an email; the rest is counted. */
const mostNames = 50

/**
 * Deletes what former students of a program have shown once its ProofRetentionDays have passed. Staff are told a month before; each
 * student is a transaction of its own. The bytes go first: what is left of a row whose files are gone is done again the next day.
 */
export const deleteOldProofsOf = async (
  services: Pick<Services, 'pool' | 'files'>,
  programId: number,
  onDay?: string,
): Promise<void> => {
  const due = await inProgram(services.pool, programId, async (db) => {
    const program = await findProgramContext(db, programId)
    const days = program?.Options.ProofRetentionDays ?? 0
    if (!program || days === 0) return []
    const today = onDay ?? todayIn(program.TimeZone)
    await noteWhoLeft(db, programId, today)
    const untold = await takeUntold(db, programId, { days, today })
    if (untold.length > 0) {
      const names = untold.slice(0, mostNames).map(({ Student }) => Student)
      const more = untold.length - names.length
      const list = htmlList(more > 0 ? [...names, `and ${more} more`] : names)
      await queueTemplatedEmails(
        db,
        (await listDirectors(db, programId)).map(({ id, first, email }) => ({
          programId,
          accountId: id,
          recipient: email,
          label: 'PROOFS_deleted_soon' as const,
          values: {
            'director.firstName': first,
            'student.count': String(untold.length),
            'student.list': list,
            'purge.on': formatDate(addDays(today, noticeDays)),
            'program.name': program.Name,
            link: '/new/admin/program-settings',
          },
        })),
      )
    }
    return listDue(db, programId, { days, today })
  })
  for (const studentId of due)
    await inProgram(services.pool, programId, async (db) => {
      const keys = await listProofFiles(db, programId, studentId)
      for (const key of keys) await services.files.remove(key)
      await purgeProofs(db, programId, studentId, keys.length)
    })
}

export const deleteOldProofs = job({
  name: 'requirements:delete-old-proofs',
  payload: z.object({}).loose(),
  cron: '30 7 * * *',
  work: async (_payload, services) => {
    const { rows } = await services.pool.query<{ id: number }>(
      'select id from program where deleted_at is null order by id',
    )
    for (const { id } of rows) await deleteOldProofsOf(services, id)
  },
})
