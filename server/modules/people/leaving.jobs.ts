import { z } from 'zod'
import { inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { endDue } from './leaving.service.ts'

/** Ends the access of whoever left on a day that is over where their program is, also days later. */
export const endAccessOnDay = job({
  name: 'people:leave',
  payload: z.object({}).loose(),
  cron: '*/5 * * * *',
  work: (_payload, services) =>
    inPrograms(
      services,
      `select distinct a.program_id from account a join program p on p.id = a.program_id and p.deleted_at is null
        where a.leaves_on < (now() at time zone p.time_zone)::date and a.deleted_at is null`,
      endDue,
      { endsPeople: true },
    ),
})
