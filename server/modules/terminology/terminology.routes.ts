import { terminologyFailures } from '#contract/terminology/failures.ts'
import * as contract from '#contract/terminology/terminology.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addProfile, changeProfile, deleteProfile, saveEntries } from './terminology.commands.ts'
import {
  findProfile,
  getTerms,
  isProfileNameTaken,
  listEntries,
  listProfiles,
} from './terminology.queries.ts'

const getProfile = async (db: Db, profileId: number): Promise<contract.LanguageProfile> => {
  const profile = await findProfile(db, profileId)
  if (!profile) throw fail(terminologyFailures.no_language_profile)
  return profile
}

const refuseTakenName = async (db: Db, name: string, exceptId: number): Promise<void> => {
  if (await isProfileNameTaken(db, name, exceptId))
    throw fail(terminologyFailures.name_taken, { Name: name }, 'Name')
}

const knownKeys: ReadonlySet<number> = new Set(Object.values(contract.termDefaults).map(({ keyId }) => keyId))

/** The words of a program do not change because somebody tidies the profiles. */
const refuseWhileUsed = async (db: Db, profileId: number, name: string): Promise<void> => {
  const programs = await db
    .selectFrom('program')
    .select('name')
    .where('language_profile_id', '=', profileId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  if (programs.length === 0) return
  const more = programs.length > 3 ? ` and ${programs.length - 3} more` : ''
  const named = programs.slice(0, 3).map((program) => program.name)
  throw fail(terminologyFailures.in_use, {
    Name: name,
    Programs: named.join(', '),
    More: more,
    Count: programs.length,
  })
}

export const terminologyRoutes = [
  handle(contract.getTerms, ({ db, params, language }) => getTerms(db, params.programId, language)),
  handle(contract.listLanguageProfiles, ({ db }) => listProfiles(db)),

  handle(contract.createLanguageProfile, async ({ db, body }) => {
    await refuseTakenName(db, body.Name, 0)
    return { Id: await addProfile(db, body.Name), Name: body.Name }
  }),

  handle(contract.updateLanguageProfile, async ({ db, params, body, audit }) => {
    audit.detail = { Before: await getProfile(db, params.profileId), After: body }
    await refuseTakenName(db, body.Name, params.profileId)
    await changeProfile(db, params.profileId, body.Name)
    return { Id: params.profileId, Name: body.Name }
  }),

  handle(contract.deleteLanguageProfile, async ({ db, params, audit }) => {
    const { Name } = await getProfile(db, params.profileId)
    await refuseWhileUsed(db, params.profileId, Name)
    audit.detail = { Name }
    await deleteProfile(db, params.profileId)
  }),

  handle(contract.listLanguageEntries, async ({ db, params, query }) => {
    await getProfile(db, params.profileId)
    return listEntries(db, params.profileId, query.Language)
  }),

  handle(contract.saveLanguageEntries, async ({ db, params, query: { Language }, body, audit }) => {
    await getProfile(db, params.profileId)
    const unknown = body.find(({ KeyId }) => !knownKeys.has(KeyId))
    if (unknown) throw fail(terminologyFailures.unknown_word, { KeyId: unknown.KeyId })
    const most = contract.maxEndings[Language]
    const tooLong = body.findIndex((entry) => contract.printPlural(entry).length > most)
    if (tooLong >= 0) throw fail(terminologyFailures.endings_too_long, { Most: most }, `${tooLong}.Plural`)
    audit.detail = { Language, Entries: body }
    await saveEntries(db, params.profileId, Language, body)
    return listEntries(db, params.profileId, Language)
  }),
]
