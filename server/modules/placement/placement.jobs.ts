import { z } from 'zod'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { type Job, job } from '#server/core/runtime/jobs.ts'
import { notifyPlaced } from './after/result-emails.commands.ts'
import { requeueLostDrafts } from './draft/drafts.jobs.ts'
import { markInvited, markReminded } from './plan/plans.commands.ts'
import { findPlacementPlan } from './plan/plans.queries.ts'
import { notifyUnanswered } from './plan/ranking-emails.queries.ts'

interface Due {
  program_id: number
  plan_id: number
}

/**
 * Invites students when a ranking opens, and reminds them a day before it closes: each once for every time that was set. Whoever
 * was invited within the last day before closing is not reminded in the same run. Tells them too when their placements are out.
 */
export const notifyOfRankings = job({
  name: 'placement:rankings',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '*/5 * * * *',
  work: async (_payload, { pool, everywhere }) => {
    const due = (what: string) =>
      everywhere.query<Due>(
        `select p.program_id, p.id as plan_id from placement_plan p where p.deleted_at is null and ${what}`,
      )
    const closing = await due(
      `p.opens_at <= now() and p.closes_at > now() and p.closes_at <= now() + interval '1 day'
        and p.reminded_for is distinct from p.closes_at`,
    )
    for (const { program_id: programId, plan_id: planId } of closing.rows)
      await inProgram(pool, programId, async (db) => {
        if (await markReminded(db, programId, planId))
          await notifyUnanswered(db, programId, planId, 'PLACEMENT_ranking_reminder')
      })
    const opened = await due(
      'p.opens_at <= now() and p.closes_at > now() and p.invited_for is distinct from p.opens_at',
    )
    for (const { program_id: programId, plan_id: planId } of opened.rows)
      await inProgram(pool, programId, async (db) => {
        if (await markInvited(db, programId, planId))
          await notifyUnanswered(db, programId, planId, 'PLACEMENT_ranking_open')
      })
    const published = await due('p.published_at <= now() and p.told_for is distinct from p.published_at')
    for (const { program_id: programId, plan_id: planId } of published.rows)
      await inProgram(pool, programId, async (db) => {
        const plan = await findPlacementPlan(db, programId, planId)
        if (plan) await notifyPlaced(db, programId, plan)
      })
  },
})

export const placementJobs: readonly Job[] = [notifyOfRankings, requeueLostDrafts]
