import { CompiledQuery } from 'kysely'
import type { Db } from './pool.ts'

/**
 * Runs `work` and keeps what it wrote, or undoes it. A call whose answer must not tell whether somebody exists does the
 * same work in both cases with it, and so takes the same time.
 */
export const keepIf = async <T>(db: Db, isKept: boolean, work: () => Promise<T>): Promise<T> => {
  await db.executeQuery(CompiledQuery.raw('savepoint attempt'))
  const result = await work()
  await db.executeQuery(CompiledQuery.raw(`${isKept ? 'release' : 'rollback to'} savepoint attempt`))
  return result
}
