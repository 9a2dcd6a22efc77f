import { z } from 'zod'
import { inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { sumCheck } from '#server/core/runtime/sum-check.ts'
import { keepRotations } from './kept.commands.ts'
import { timeSums } from './time-sums.commands.ts'

const payload = z.object({}).loose()

/** Programs in which something has happened that is not kept yet, or nothing was kept for five minutes. */
export const rotationsDue = `
  select p.id as program_id from program p left join event_seen s on s.program_id = p.id and s.reader = 'rotations'
  where s.seen is null or s.seen_at < now() - interval '5 minutes'
    or exists (select from events_since(p.id, s.seen) e where e.kind in ('assignment', 'time-record', 'person'))
    or exists (select from shift_kept t
      where t.program_id = p.id and t.date between (s.seen_at - interval '38 hours')::date and (now() + interval '14 hours')::date
        and (t.ends_at > s.seen_at and t.ends_at <= now() or t.starts_at > s.seen_at and t.starts_at <= now()))
  order by p.id`

/** Counts the shifts that have ended in the last hour as past, a program at a time. */
export const movePlans = job({
  name: 'time:past-shifts',
  payload,
  cron: '3 * * * *',
  work: async (_payload, { pool }) => {
    const { rows } = await pool.query<{ id: number }>('select id from program order by id')
    for (const { id } of rows) await pool.query('select move_plan_until($1)', [id])
  },
})

/**
 * Counts anew the hours of those in rotations whom something has happened to since, a program at a time. Every minute, so that home
 * pages look at few singly also while hundreds leave their shifts; programs in which nothing has happened have their turn every five.
 */
export const keepRotationHours = job({
  name: 'time:keep-rotations',
  payload,
  cron: '* * * * *',
  work: (_payload, services) => inPrograms(services, rotationsDue, keepRotations),
})

/** Proves the stored sums of time every night. */
export const checkTimeSums = sumCheck(timeSums, { name: 'time:check-sums', cron: '25 7 * * *' })

export const timeSumJobs = [movePlans, keepRotationHours, checkTimeSums]
