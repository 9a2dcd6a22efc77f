import { z } from 'zod'
import { type AnyEndpoint, confirmedActs } from '#contract/core/endpoint.ts'
import type { Db } from '#server/core/database/pool.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'

/** The job that tells the owner; the module of identity does it. */
export const confirmedAct = {
  name: 'identity:confirmed',
  payload: z.object({ accountId: z.number(), what: z.enum(confirmedActs) }),
}

const filesToldAfterMs = 10 * 60_000

/** Has the owner of the account told of what was done with it, in the caller's transaction. Keys are told of when they are made. */
export const tellOfConfirmed = async (
  db: Db,
  { proof }: AnyEndpoint,
  user: { Id: number; key?: unknown },
): Promise<void> => {
  if (proof === undefined || proof === true || user.key) return
  await enqueue(
    db,
    confirmedAct,
    { accountId: user.Id, what: proof },
    {
      jobKey: `confirmed:${user.Id}:${proof}`,
      isFirstKept: true,
      // Files come in dozens: one message tells of all of a while.
      ...(proof === 'file' && { runAt: new Date(Date.now() + filesToldAfterMs).toISOString() }),
    },
  )
}
