import { z } from 'zod'
import { type Db, transaction } from '#server/core/database/pool.ts'
import { job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { queueClockOuts, queueShifts, wakePushes } from './push.queries.ts'
import { sendDuePushes } from './sending.service.ts'

const Nothing = z.object({}).loose()

/** After a transaction that has queued messages. */
const sendNow = job({
  name: 'push:send',
  reachesOut: true,
  waitsForOthers: true,
  payload: z.object({ programId: z.number().int() }),
  work: ({ programId }, services) => sendDuePushes(services, programId),
})

/** What was put off by quiet hours or an answer, and what a process that died has left. */
const sendWaiting = job({
  name: 'push:retry',
  reachesOut: true,
  payload: Nothing,
  cron: '* * * * *',
  work: async (_payload, services) => {
    const { rows } = await services.pool.query<{ program_id: number }>('select * from programs_with_pushes()')
    // Each on its own, so that a program whose devices are slow keeps no other waiting.
    for (const { program_id } of rows)
      await transaction(services.pool, { accountId: null, programIds: [program_id] }, (db) =>
        wakePushes(db, program_id),
      )
  },
})

/** Queues in every program in which somebody wants to be told of the kind. */
const queueEverywhere = async (
  services: Services,
  kind: string,
  queue: (db: Db, programId: number) => Promise<number>,
): Promise<void> => {
  const { rows } = await services.pool.query<{ program_id: number }>(
    'select program_id from programs_wanting_pushes($1)',
    [kind],
  )
  for (const { program_id } of rows)
    await transaction(services.pool, { accountId: null, programIds: [program_id] }, async (db) => {
      if ((await queue(db, program_id)) > 0) await wakePushes(db, program_id)
    })
}

/** In the evening, of the next day's shifts. Every ten minutes, so that each program has it in its own evening. */
export const tellOfShifts = job({
  name: 'push:shifts',
  reachesOut: true,
  payload: Nothing,
  cron: '*/10 * * * *',
  work: (_payload, services) => queueEverywhere(services, 'shift', queueShifts),
})

/** Half an hour after a shift, those who have not clocked out. */
export const tellOfClockOuts = job({
  name: 'push:clock-outs',
  reachesOut: true,
  payload: Nothing,
  cron: '*/5 * * * *',
  work: (_payload, services) => queueEverywhere(services, 'clock-out', queueClockOuts),
})

const tidy = job({
  name: 'push:tidy',
  payload: Nothing,
  cron: '47 3 * * *',
  work: async (_payload, services) => {
    await services.pool.query('select tidy_pushes()')
  },
})

export const pushJobs = [sendNow, sendWaiting, tellOfShifts, tellOfClockOuts, tidy]
