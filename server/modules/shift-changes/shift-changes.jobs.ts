import { z } from 'zod'
import { inProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { expireChanges } from './expiry.service.ts'
import { moveUp, tendWaitingLists } from './waiting-list.service.ts'

/** Moves the waiting list of one open shift up, right after a place became free. */
export const moveWaitingListUp = job({
  name: 'open-shifts:move-up',
  payload: z.object({ programId: z.number(), openShiftId: z.number() }),
  work: async ({ programId, openShiftId }, { pool }) => {
    await inProgram(pool, programId, (db) => moveUp(db, programId, openShiftId))
  },
})

/** Each minute: whoever freed a place, and lists whose sign-up is over. */
export const tendAllWaitingLists = job({
  name: 'open-shifts:waiting-lists',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, { pool, everywhere }) => {
    const { rows } = await everywhere.query<{ program_id: number }>(
      'select distinct o.program_id from open_shift o where o.waiting > 0',
    )
    for (const { program_id } of rows)
      await tendWaitingLists(program_id, (work) => inProgram(pool, program_id, work))
  },
})

/** Every ten minutes: requests whose shift has started end, and their students are told. */
export const endStartedShiftChanges = job({
  name: 'shift-changes:expiry',
  payload: z.object({}).loose(),
  cron: '*/10 * * * *',
  work: (_payload, services) =>
    inPrograms(
      services,
      "select distinct c.program_id from shift_request c where c.state in ('open', 'pending') and c.expires_at <= now()",
      expireChanges,
    ),
})

export const shiftChangeJobs = [moveWaitingListUp, tendAllWaitingLists, endStartedShiftChanges]
