import type pg from 'pg'
import { onConnection, transaction } from '#server/core/database/pool.ts'
import { findWrongSums, type StoredSums, type WrongSum } from '#server/core/runtime/sum-check.ts'
import type { Installation } from './installation.ts'

/** What is wrong about kept sums of a program, by table. */
export const wrongSums = async (
  owner: pg.Pool,
  sums: Pick<StoredSums, 'wrong'>,
  programId: number,
): Promise<WrongSum[]> => {
  const client = await owner.connect()
  try {
    return await findWrongSums(onConnection(client), sums, programId)
  } finally {
    client.release()
  }
}

/** Recounts kept sums of a program, as an operator does. */
export const recount = (
  { services }: Pick<Installation, 'services'>,
  sums: Pick<StoredSums, 'recount'>,
  programId: number,
): Promise<void> =>
  transaction(services.pool, { accountId: null, programIds: [programId] }, (db) =>
    sums.recount(db, programId),
  )
