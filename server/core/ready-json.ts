import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './database/pool.ts'

/** An answer that the database has written out already. It goes to the wire as it is, so it names nothing undeclared. */
export class ReadyJson<T> {
  readonly text: string
  /** Only for the types: what stands in the text. */
  declare readonly value: T
  constructor(text: string) {
    this.text = text
  }
}

/**
 * The rows of a query as one JSON text, named as the query names them. For lists of thousands of short rows: making objects of
 * them only to write them out costs more than reading them, and what they leave behind costs as much again. Moments and days
 * would come in PostgreSQL's own form; columns of text, numbers and truth values only.
 */
export const rowsAsJson = async <D, T extends keyof D, R>(
  db: Db,
  query: SelectQueryBuilder<D, T, R>,
): Promise<ReadyJson<R[]>> => {
  const { text } = await db
    .selectFrom(query.as('row') as never)
    .select(sql<string>`coalesce(json_agg("row"), '[]')::text`.as('text'))
    .executeTakeFirstOrThrow()
  return new ReadyJson(text as string)
}
