import type pg from 'pg'
import { coreFailures } from '#contract/core/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from './failure.ts'

/** When the installation was restored and of which moment its backup is; undefined for one that is no copy. */
export const findRestoredCopy = (db: Db): Promise<{ restored_at: string; backup_at: string } | undefined> =>
  db.selectFrom('restored_copy').select(['restored_at', 'backup_at']).executeTakeFirst()

/**
 * Whether the installation was restored from a backup and nobody has said yet that it is the real one now. Until then it
 * reaches neither people nor other systems: the one that was backed up may still be doing so.
 */
export const isRestoredCopy = async (pool: Pick<pg.Pool, 'query'>): Promise<boolean> => {
  const { rows } = await pool.query<{ is_copy: boolean }>(
    'select exists (select from restored_copy) as is_copy',
  )
  return rows[0]!.is_copy
}

/** @throws Failure 503 where the installation is a restored copy, for systems that keep it in step with themselves */
export const refuseInCopy = async (pool: Pick<pg.Pool, 'query'>): Promise<void> => {
  if (!(await isRestoredCopy(pool))) return
  throw fail(coreFailures.restored_copy, { retryAfterSeconds: 600 })
}
