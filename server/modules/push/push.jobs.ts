import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import type { WorkerServices } from '#server/core/runtime/services.ts'
import { forgetOldPushes, queueClockOuts, queueShifts } from './push.commands.ts'
import { wakePushes } from './push.queries.ts'
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
  // Each on its own, so that a program whose devices are slow keeps no other waiting.
  work: (_payload, services) =>
    inPrograms(
      services,
      `select distinct m.program_id from push_message m where m.state = 'waiting' and m.next_at <= now()
        and exists (select from push_service where is_on) order by 1`,
      wakePushes,
    ),
})

/** Queues in every program in which somebody wants to be told of the kind. */
const queueEverywhere = (
  services: WorkerServices,
  kind: string,
  queue: (db: Db, programId: number) => Promise<number>,
): Promise<void> =>
  inPrograms(
    services,
    `select p.id as program_id from program p where p.deleted_at is null and exists (select from push_service where is_on)
      and exists (select from push_choice c join push_device d on d.program_id = c.program_id and d.account_id = c.account_id
        and d.ended_at is null where c.program_id = p.id and $1::text = any (c.kinds)) order by p.id`,
    async (db, programId) => {
      if ((await queue(db, programId)) > 0) await wakePushes(db, programId)
    },
    { values: [kind] },
  )

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

export const tidyPushes = job({
  name: 'push:tidy',
  payload: Nothing,
  cron: '47 3 * * *',
  work: (_payload, { everywhere }) => forgetOldPushes(everywhere),
})

export const pushJobs = [sendNow, sendWaiting, tellOfShifts, tellOfClockOuts, tidyPushes]
