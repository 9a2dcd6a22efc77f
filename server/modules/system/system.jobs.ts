import { z } from 'zod'
import { job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { parts, testPart } from './parts.service.ts'
import { noteCheck } from './system.commands.ts'

/** Shows that a worker takes jobs. */
export const beat = job({
  name: 'system:beat',
  payload: z.object({}).loose(),
  work: (_payload, { pool }) => noteCheck(pool, 'worker', ''),
})

/** Checks every part that is used here, all at once, so that one that hangs holds up no other. */
export const checkParts = job({
  name: 'system:check',
  payload: z.object({}).loose(),
  cron: '*/15 * * * *',
  isAtStart: true,
  work: async (_payload, services: Services) => {
    await noteCheck(services.pool, 'worker', '')
    const used = (Object.keys(parts) as (keyof typeof parts)[]).filter(
      (key) => parts[key].placeOf(services) !== undefined,
    )
    await Promise.all(
      used.map(async (key) => {
        const { Steps, figures } = await testPart(services, key)
        const failed = Steps.find(({ IsOk }) => !IsOk)
        if (failed)
          services.log.warn({ part: key, reason: failed.Detail }, 'A part of the installation fails')
        await noteCheck(services.pool, key, failed?.Detail ?? '', figures)
      }),
    )
  },
})

export const systemJobs = [beat, checkParts]
