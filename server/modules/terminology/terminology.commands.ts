import type { Language } from '#contract/language/language.ts'
import type { LanguageEntryText } from '#contract/terminology/terminology.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, setRowDeleted } from '#server/core/database/rows.ts'

export const addProfile = (db: Db, name: string): Promise<number> => addRow(db, 'language_profile', { name })

export const changeProfile = (db: Db, id: number, name: string): Promise<boolean> =>
  changeRow(db, 'language_profile', { id }, { name })

export const deleteProfile = (db: Db, id: number): Promise<boolean> =>
  setRowDeleted(db, 'language_profile', { id }, true)

/** Saves words of a profile; an empty text brings the default back, whatever its suffixes. */
export const saveEntries = async (
  db: Db,
  profileId: number,
  language: Language,
  entries: readonly LanguageEntryText[],
): Promise<void> => {
  for (const { KeyId, Value, Singular, Plural } of entries) {
    if (Value === '') {
      await db
        .deleteFrom('language_entry')
        .where('profile_id', '=', profileId)
        .where('language', '=', language)
        .where('key_id', '=', KeyId)
        .execute()
      continue
    }
    const forms = {
      value: Value,
      singular: Singular,
      plural: Singular === '' && Plural === '' ? 's' : Plural,
    }
    await db
      .insertInto('language_entry')
      .values({ profile_id: profileId, language, key_id: KeyId, ...forms })
      .onConflict((entry) => entry.columns(['profile_id', 'language', 'key_id']).doUpdateSet(forms))
      .execute()
  }
}
