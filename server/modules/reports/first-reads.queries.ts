import type pg from 'pg'
import { reading } from '#server/core/database/pool.ts'
import { newsOfProgram } from '../news/news.queries.ts'
import { countWaiting } from '../requirements/proof-review.queries.ts'
import { countToRenew } from '../sites/agreements.queries.ts'
import { currentRotation, todayExpression } from '../time/hours.queries.ts'
import { countRecords, listRecords } from '../time/records.queries.ts'
import { readHome } from './home.queries.ts'

/** As many as a page asks on at once. */
const connections = 2

/** The id of no program: whatever is read of it, nothing is found. */
const none = 0

/**
 * What staff open first after a start is read once for no program, while nobody waits: on each connection PostgreSQL loads what it
 * knows of the tables and plans the statements, 40 ms for the home page alone (`docs/decisions/plans-of-statements.md`). Where that
 * fails, the first calls do it.
 */
export const planFirstReads = async (pool: pg.Pool): Promise<void> => {
  const today = new Date().toISOString().slice(0, 10)
  const view = { programId: none, scope: { supervisorId: null }, accountId: none }
  const pending = { Status: 'pending', Insight: '0' } as const
  const read = () =>
    reading(pool, { accountId: null, programIds: [none] }, async (db) => {
      await currentRotation(db, none, todayExpression(none))
      await readHome(db, none, { today, rotationId: none })
      await countWaiting(db, none, today)
      await countToRenew(db, none)
      await newsOfProgram(db, none, today)
      await listRecords(db, view, pending, { page: 1, pageSize: 50, sort: '-Date' })
      await countRecords(db, view, {})
    })
  await Promise.allSettled(Array.from({ length: connections }, read))
}
