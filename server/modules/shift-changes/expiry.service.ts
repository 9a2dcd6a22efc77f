import type { Db } from '#server/core/database/pool.ts'
import { end, lockChange } from './outcomes.service.ts'
import { listExpired } from './shift-changes.queries.ts'

/** Ends the requests of a program whose shift has started; answers how many. */
export const expireChanges = async (db: Db, programId: number): Promise<number> => {
  let ended = 0
  for (const { id } of await listExpired(db, programId)) {
    const change = await lockChange({ db, programId }, id)
    if (!change.isOver || (change.state !== 'open' && change.state !== 'pending')) continue
    await end(
      { db, programId, actor: '', by: null },
      change,
      'expired',
      '',
      `The shift has started, so the request is over: ${change.line}`,
    )
    ended++
  }
  return ended
}
