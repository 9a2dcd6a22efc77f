import type { Compilable, RawBuilder } from 'kysely'
import pg from 'pg'
import { markAcross } from './across-role.ts'
import { type Db, reading } from './pool.ts'

/**
 * Asks one statement as the role that reads across programs; everything else of the transaction stays in its program. Only for files named
 * `*.across.ts` (docs/decisions/across-programs.md).
 */
export const acrossPrograms = async <R>(
  db: Db | pg.Pool,
  question: RawBuilder<R> | Compilable<R>,
): Promise<R[]> =>
  db instanceof pg.Pool
    ? reading(db, { accountId: null, programIds: [] }, (inside) => acrossPrograms(inside, question))
    : (await db.executeQuery(markAcross(question.compile(db)))).rows

/** As `acrossPrograms`, of a question that always has one row, such as a count. */
export const oneAcrossPrograms = async <R>(
  db: Db | pg.Pool,
  question: RawBuilder<R> | Compilable<R>,
): Promise<R> => {
  const [row] = await acrossPrograms(db, question)
  if (row === undefined) throw new Error('A question across programs has no answer.')
  return row
}
