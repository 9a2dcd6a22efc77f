import type { Db } from '#server/core/database/pool.ts'
import { claimNotification } from './acceptances.commands.ts'
import { listResults } from './acceptances.queries.ts'
import { tellPlaced } from './result-emails.queries.ts'

/** Notifies students of a plan that their placements are out, by email and in the product, once per publication. Answers how many. */
export const notifyPlaced = async (
  db: Db,
  programId: number,
  plan: { Id: number; Name: string },
): Promise<number> => {
  if (!(await claimNotification(db, programId, plan.Id))) return 0
  return tellPlaced(db, programId, plan, await listResults(db, programId, plan.Id))
}
