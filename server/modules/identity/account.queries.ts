import { type OwnPreferences, Preferences } from '#contract/identity/preferences.ts'
import { isLanguage } from '#contract/language/language.ts'
import type { Opening } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'

const defaults: Preferences = { StartPage: '', IsMenuShown: false, MutedEmails: [] }

/** The preferences as kept, completed with the defaults. */
export const findPreferences = async (db: Db, accountId: number): Promise<OwnPreferences> => {
  const row = await db
    .selectFrom('account')
    .select(['preferences', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  const kept = Preferences.partial()
    .strip()
    .safeParse(row?.preferences ?? {})
  return { ...defaults, ...kept.data, Language: isLanguage(row?.language) ? row.language : null }
}

/** How a session was opened, and whether somebody besides the mailbox's owner may know the password of its account. */
export interface SessionOpening extends Required<Opening> {
  hasGivenPassword: boolean
}

export const findOpening = (db: Db, sessionId: number): Promise<SessionOpening> =>
  db
    .selectFrom('session as s')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .select(['s.mailbox', 's.provider_id as providerId'])
    .select(['s.college_name as collegeName', 's.college_index as collegeIndex'])
    .select('a.has_given_password as hasGivenPassword')
    .where('s.id', '=', sessionId)
    .executeTakeFirstOrThrow()
