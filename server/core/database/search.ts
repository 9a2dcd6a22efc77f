import { type RawBuilder, sql } from 'kysely'
import { searchWords } from '#contract/core/search.ts'

/** A pattern for LIKE that matches the text anywhere, with its own %, _ and \ taken literally. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Whether a search finds the text of an expression: all its words are in it, in any order, as `searchKey` compares. An index on
 * `search_key` of the same expression is used. Without a word everything is found.
 */
export const isFound = (text: RawBuilder<unknown>, search: string): RawBuilder<boolean> => {
  const conditions = searchWords(search).map((word) => sql`search_key(${text}) like ${containing(word)}`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
