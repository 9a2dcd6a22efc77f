import { sql } from 'kysely'
import type { Language } from '#contract/language/language.ts'
import { spanishTerms } from '#contract/terminology/spanish-terms.ts'
import {
  type LanguageEntry,
  type LanguageEntryText,
  type LanguageProfile,
  type Terms,
  termDefaults,
  termKeys,
  termsOf,
} from '#contract/terminology/terminology.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The words of a program that renames none. */
const defaultTerms = { en: termDefaults, es: spanishTerms } as const

/** The program's wording in a language: its language profile over the defaults. */
export const getTerms = async (
  db: Db,
  programId: number | null,
  language: Language = 'en',
): Promise<Terms> => {
  if (programId === null) return termsOf([], defaultTerms[language])
  const { rows } = await sql<LanguageEntryText>`
    select e.key_id as "KeyId", e.value as "Value", e.singular as "Singular", e.plural as "Plural"
    from program p join language_entry e on e.profile_id = p.language_profile_id and e.language = ${language}
    where p.id = ${programId}`.execute(db)
  return termsOf(rows, defaultTerms[language])
}

export const listProfiles = (db: Db): Promise<LanguageProfile[]> =>
  db
    .selectFrom('language_profile')
    .select(['id as Id', 'name as Name'])
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .execute()

export const findProfile = (db: Db, profileId: number): Promise<LanguageProfile | undefined> =>
  db
    .selectFrom('language_profile')
    .select(['id as Id', 'name as Name'])
    .where('id', '=', profileId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const isProfileNameTaken = (db: Db, name: string, exceptId: number): Promise<boolean> =>
  isNameTaken(db, { table: 'language_profile' }, name, exceptId)

/** Every word in the order of its key; Value is empty where the profile has no entry in the language. */
export const listEntries = async (
  db: Db,
  profileId: number,
  language: Language,
): Promise<LanguageEntry[]> => {
  const kept = await db
    .selectFrom('language_entry')
    .select(['key_id', 'value', 'singular', 'plural'])
    .where('profile_id', '=', profileId)
    .where('language', '=', language)
    .execute()
  const byKey = new Map(kept.map((entry) => [entry.key_id, entry]))
  return termKeys.map((key) => {
    const { keyId } = termDefaults[key]
    const entry = byKey.get(keyId)
    return {
      KeyId: keyId,
      Key: key,
      Value: entry?.value ?? '',
      Singular: entry?.singular ?? '',
      Plural: entry?.plural ?? 's',
    }
  })
}
