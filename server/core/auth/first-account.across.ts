import { sql } from 'kysely'
import type pg from 'pg'
import { oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Whether anybody has ever had an account here. */
export const hasAccounts = async (db: Db | pg.Pool): Promise<boolean> =>
  (await oneAcrossPrograms(db, sql<{ has: boolean }>`select exists (select id from account) as has`)).has
