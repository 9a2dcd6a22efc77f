import { sql } from 'kysely'
import type pg from 'pg'
import { Level } from '#contract/core/levels.ts'
import type { Language } from '#contract/language/language.ts'
import type { LanguageEntryText } from '#contract/terminology/terminology.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { kindOf } from './mail-kinds.ts'

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

export interface ProgramRow {
  id: number
  name: string
  college: string
  entries: (LanguageEntryText & { Language: Language })[]
  coordinators: string | null
  directors: string | null
}

/** The email addresses of a program's staff at a level, separated by commas; emails are also sent before anyone is signed in. */
const addressesOf = (level: number) => sql`(
  select string_agg(s.email, ',') from (
    select email from account where program_id = p.id and access_level = ${level} and email <> ''
      and deleted_at is null and deactivated_at is null order by id limit 50) s)`

const staff = /program\.(coordinators|directors)/
/** Whether the product's own text asks for addresses of staff. */
const namesStaff = (label: string): boolean => staff.test(JSON.stringify(kindOf(label)))

/** What emails may say of these programs; the addresses of staff only where a template asks for them. */
export const readPrograms = async (
  db: Db,
  programIds: readonly number[],
  labels: readonly string[],
): Promise<Map<number, ProgramRow>> => {
  const rows = await acrossPrograms(
    db,
    sql<ProgramRow>`
    select p.id, p.name, c.name as college,
      coalesce((select jsonb_agg(jsonb_build_object('KeyId', e.key_id, 'Value', e.value, 'Singular', e.singular,
        'Plural', e.plural, 'Language', e.language)) from language_entry e where e.profile_id = p.language_profile_id), '[]') as entries,
      case when w.wanted then ${addressesOf(Level.Coord)} end as coordinators,
      case when w.wanted then ${addressesOf(Level.Director)} end as directors
    from program p join college c on c.id = p.college_id
    cross join (select ${labels.some(namesStaff)} or exists (select from mail_template t where t.label = any (${labels})
      and concat(t.sender, t.addressee, t.carbon_copy, t.subject, t.html) ~ ${staff.source}) as wanted) w
    where p.id = any (${programIds})`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
