import { z } from 'zod'
import { everyProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { askRechecksOf } from './rechecks.commands.ts'

/** Asks every morning for the rechecks that the lists say after some months. */
export const askRechecks = job({
  name: 'competencies:ask-rechecks',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '35 10 * * *',
  work: (_payload, services) => inPrograms(services, everyProgram, askRechecksOf),
})
