import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'

/** An answer that the database has written out already. It goes to the wire as it is, so it names nothing undeclared. */
export class ReadyJson<T> {
  /** Only for the types: what is in the text. */
  declare readonly value: T
  private pieces: readonly string[]
  /** The JSON text in pieces, to be sent one behind the other. */
  constructor(pieces: readonly string[]) {
    this.pieces = pieces
  }

  /**
   * Hands the pieces out, once. A reference kept longer would move them to the old generation of the heap, where only a full
   * garbage collection frees them: for lists of half a megabyte that cost as much processor as sending them.
   */
  take(): readonly string[] {
    const { pieces } = this
    this.pieces = []
    return pieces
  }
}

/** How PostgreSQL writes a value of this kind as JSON, as text. */
const written = (name: string, schema: z.core.$ZodType): RawBuilder<unknown> => {
  const value = sql.ref(name)
  if (schema instanceof z.ZodNullable)
    return sql`coalesce(${written(name, schema.unwrap() as z.core.$ZodType)}, 'null')`
  if (schema instanceof z.ZodString) return sql`json_text(${value}::text)::text`
  if (schema instanceof z.ZodNumber) return sql`${value}::text`
  throw new TypeError(`${name} is neither text nor a number.`)
}

/**
 * So many rows come from the database in one text. A single one of half a megabyte is put together here from what the
 * connection reads, in twice the memory, and outlives the collections of short-lived objects.
 */
const rowsOfPiece = 400

/** So many long answers come from the database at a time: more would all be here in part, and none finished sooner. */
const inTurn = pLimit(4)

/**
 * The rows of a query as JSON, its columns named as the schema's fields, `most` of them in the order of `order`. For lists of
 * thousands of short rows of texts and numbers: making objects of them only to write them out costs more than reading them,
 * and what they leave behind costs as much again. `json_agg` would look up each column's type again for each row, a quarter
 * of the whole cost, and `concat` takes twice as long as `||`. Numbered rows are put into pieces in a seventh less than slices of an
 * array take.
 *
 * @param order expressions on the columns of `row`, as the query `found` names them
 */
export const rowsAsJson = async <D, T extends keyof D, R>(
  db: Db,
  schema: z.ZodObject & z.ZodType<R>,
  found: SelectQueryBuilder<D, T, R>,
  { order, most }: { order: RawBuilder<unknown>; most: number },
): Promise<ReadyJson<R[]>> => {
  const parts = Object.entries(schema.shape).flatMap(([name, field], index) => [
    sql.lit(`${index ? ',' : '{'}${JSON.stringify(name)}:`),
    written(name, field),
  ])
  // A null in a field that has none makes the whole row null: written as such, it is not silently left out.
  const query = sql<{ text: string }>`
    select string_agg(coalesce(text, 'null'), ',' order by number) as text from (
      select number, ${sql.join([...parts, sql.lit('}')], sql` || `)} as text from (
        select row.*, row_number() over (order by ${order}) as number from (${found}) as row) as row
      where number <= ${sql.lit(most)}) as row
    group by (number - 1) / ${sql.lit(rowsOfPiece)} order by (number - 1) / ${sql.lit(rowsOfPiece)}`
  const { rows } = await inTurn(() => query.execute(db))
  // Emptied for the reason that `take` tells: the connection's own result holds on to these rows.
  const pieces = rows.splice(0).map(({ text }, index) => (index === 0 ? text : `,${text}`))
  return new ReadyJson(['[', ...pieces, ']'])
}
