import { sql } from 'kysely'
import type pg from 'pg'
import type { Language } from '#contract/language/language.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** In which language each account is written to; staff, whose pages are in English, and whoever is not here in English. */
export const readLanguages = async (
  db: Db,
  accountIds: readonly number[],
): Promise<Map<number, Language>> => {
  const rows = await acrossPrograms(
    db,
    sql<{ id: number; language: Language }>`
      select id, coalesce(language, browser_language, 'en') as language from account
      where id = any (${[...accountIds]}::bigint[]) and access_level < 59`,
  )
  return new Map(rows.map(({ id, language }) => [id, language]))
}

/** The worker belongs to no program and reads the files of the emails that it sends. */
export const listEmailFiles = (pool: pg.Pool, ids: readonly number[]) =>
  acrossPrograms(
    pool,
    sql<{ name: string; media_type: string; store_key: string }>`
      select name, media_type, store_key from stored_file where id = any (${[...ids]}::bigint[]) order by id`,
  )
