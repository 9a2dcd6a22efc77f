import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, IdOrNew, InProgram, Line, RequiredLine } from '#contract/core/fields.ts'
import { type Language, languages } from '#contract/language/language.ts'

/** A word in its two forms. */
export interface TermForms {
  /** The common beginning of both, as it is inside a sentence. */
  value: string
  singular: string
  plural: string
}
interface TermDefault extends TermForms {
  keyId: number
}

/** The words that a program may replace, with the wording of a program without a profile. */
export const termDefaults = {
  site: { keyId: 1, value: 'site', singular: '', plural: 's' },
  program: { keyId: 2, value: 'program', singular: '', plural: 's' },
  college: { keyId: 3, value: 'college', singular: '', plural: 's' },
  evaluation: { keyId: 4, value: 'evaluation', singular: '', plural: 's' },
  area: { keyId: 5, value: 'area', singular: '', plural: 's' },
  student: { keyId: 6, value: 'student', singular: '', plural: 's' },
  studentLevel: { keyId: 7, value: 'student level', singular: '', plural: 's' },
  supervisingEmployee: { keyId: 8, value: 'supervising employee', singular: '', plural: 's' },
  alumnus: { keyId: 9, value: 'alumn', singular: 'us', plural: 'i' },
  faculty: { keyId: 10, value: 'faculty', singular: '', plural: '' },
  time: { keyId: 11, value: 'time', singular: '', plural: 's' },
  programDirector: { keyId: 12, value: 'program director', singular: '', plural: 's' },
  clinicalCoordinator: { keyId: 13, value: 'clinical coordinator', singular: '', plural: 's' },
  supervisor: { keyId: 14, value: 'supervisor', singular: '', plural: 's' },
  siteEmployee: { keyId: 15, value: 'site employee', singular: '', plural: 's' },
  genericEmployee: { keyId: 16, value: 'shared site login', singular: '', plural: 's' },
} as const satisfies Record<string, TermDefault>

export type TermKey = keyof typeof termDefaults
export const termKeys = Object.keys(termDefaults) as TermKey[]

/** The three forms of one word: singular, plural and group. */
export interface Term {
  Singular: string
  Plural: string
  Group: string
}
export type Terms = Record<TermKey, Term>

/** An entry of a language profile: stem and the two suffixes. */
export interface LanguageEntryText {
  KeyId: number
  Value: string
  Singular: string
  Plural: string
}

/**
 * The words of a program: its profile's entries over the defaults of their language. The group of a word is its plural.
 */
export const termsOf = (
  entries: readonly LanguageEntryText[],
  defaults: Readonly<Record<TermKey, TermForms>> = termDefaults,
): Terms => {
  const byKey = new Map(entries.map((entry) => [entry.KeyId, entry]))
  return Object.fromEntries(
    termKeys.map((key) => {
      const { keyId } = termDefaults[key]
      const { value, singular, plural } = defaults[key]
      const entry = byKey.get(keyId)
      const Plural = entry ? entry.Value + entry.Plural : value + plural
      return [
        key,
        { Singular: entry ? entry.Value + entry.Singular : value + singular, Plural, Group: Plural },
      ]
    }),
  ) as Terms
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase('en') + text.slice(1)

/**
 * The placeholders that texts use: {site}, {Site}, {sites}, {Sites} and {siteGroup}, {SiteGroup} for every word
 *.
 */
export const termPlaceholders = (terms: Terms): Record<string, string> => {
  const result: Record<string, string> = {}
  for (const key of termKeys) {
    const { Singular, Plural, Group } = terms[key]
    const plural = pluralName(key)
    result[key] = Singular
    result[capital(key)] = capital(Singular)
    result[plural] = Plural
    result[capital(plural)] = capital(Plural)
    result[`${key}Group`] = Group
    result[`${capital(key)}Group`] = capital(Group)
  }
  return result
}

/** The name of a word's plural placeholder: {sites}, {alumni}, {faculties}. */
export const pluralName = (key: TermKey): string =>
  key === 'alumnus' ? 'alumni' : key === 'faculty' ? 'faculties' : `${key}s`

const TermSchema = z.object({ Singular: z.string(), Plural: z.string(), Group: z.string() })

export const getTerms = endpoint({
  method: 'GET',
  path: '/programs/:programId/terms',
  may: 'signed-in',
  byInbox: true,
  summary: "The program's wording: every term in its three forms",
  params: InProgram,
  answer: z.object(
    Object.fromEntries(termKeys.map((key) => [key, TermSchema])) as Record<TermKey, typeof TermSchema>,
  ),
})

export const LanguageProfile = z.object({ Id, Name: z.string() })
export type LanguageProfile = z.infer<typeof LanguageProfile>
const ProfileInput = z.strictObject({ Id: IdOrNew.optional(), Name: RequiredLine(50) })
const oneProfile = z.strictObject({ profileId: Id })
/** English unless said otherwise. */
const InLanguage = z.strictObject({ Language: z.enum(languages).default('en') })

export const LanguageEntry = z.object({
  KeyId: z.number().int(),
  Key: z.string(),
  Value: z.string(),
  Singular: z.string(),
  Plural: z.string(),
})
export type LanguageEntry = z.infer<typeof LanguageEntry>

export const listLanguageProfiles = endpoint({
  method: 'GET',
  path: '/language-profiles',
  may: 'terminology.manage',
  summary: 'The language profiles by name',
  answer: z.array(LanguageProfile),
})

export const createLanguageProfile = endpoint({
  method: 'POST',
  path: '/language-profiles',
  may: 'terminology.manage',
  summary: 'Add a language profile',
  body: ProfileInput,
  answer: LanguageProfile,
  errors: { 409: 'the name is taken' },
})

export const updateLanguageProfile = endpoint({
  method: 'POST',
  path: '/language-profiles/:profileId',
  may: 'terminology.manage',
  summary: 'Rename a language profile',
  params: oneProfile,
  body: ProfileInput,
  answer: LanguageProfile,
  errors: { 409: 'the name is taken' },
  basis: { read: listLanguageProfiles, item: 'profileId' },
})

export const deleteLanguageProfile = endpoint({
  method: 'DELETE',
  path: '/language-profiles/:profileId',
  may: 'terminology.manage',
  summary: 'Delete a language profile that no program uses',
  params: oneProfile,
  errors: { 409: 'a program uses it' },
})

export const listLanguageEntries = endpoint({
  method: 'GET',
  path: '/language-profiles/:profileId/entries',
  may: 'terminology.manage',
  summary: 'Every word with its entry in the profile; Value is empty where the default holds',
  params: oneProfile,
  query: InLanguage,
  answer: z.array(LanguageEntry),
})

/** One input holds `singular/plural`; in Spanish, where both words of two change their ends, it is longer. */
export const maxEndings: Readonly<Record<Language, number>> = { en: 20, es: 60 }

export const saveLanguageEntries = endpoint({
  method: 'POST',
  path: '/language-profiles/:profileId/entries',
  may: 'terminology.manage',
  summary: 'Set words of the profile; an empty text brings the default back',
  params: oneProfile,
  query: InLanguage,
  body: z
    .array(
      z.strictObject({
        KeyId: z.number().int(),
        Value: Line(50),
        Singular: Line(maxEndings.es),
        Plural: Line(maxEndings.es),
      }),
    )
    .max(termKeys.length),
  errors: { 422: 'the endings of a word are too long' },
  answer: z.array(LanguageEntry),
  basis: { read: listLanguageEntries, key: 'KeyId' },
})

/** The two suffixes of one input 'singular/plural', such as y/ies; empty means '' and s. */
export const parsePlural = (text: string): { Singular: string; Plural: string } => {
  const plain = text.trim()
  if (plain === '') return { Singular: '', Plural: 's' }
  const slash = plain.indexOf('/')
  return slash < 0
    ? { Singular: '', Plural: plain }
    : { Singular: plain.slice(0, slash).trim(), Plural: plain.slice(slash + 1).trim() }
}

/** The one input for two suffixes; the default pair is shown empty. */
export const printPlural = ({ Singular, Plural }: { Singular: string; Plural: string }): string =>
  Singular === '' && Plural === 's' ? '' : `${Singular}/${Plural}`
