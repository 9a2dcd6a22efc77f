import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { languages } from '#contract/language/language.ts'

export const Preferences = z.strictObject({
  /** The page after signing in, such as '/new/admin/approve-time-records'; '' is home. */
  StartPage: z.string().max(300),
  /** The left menu is open from the start; else semi-hidden. */
  IsMenuShown: z.boolean(),
  /** Labels of emails that are not to be sent to this person. */
  MutedEmails: z.array(z.string().max(50)).max(50),
})
export type Preferences = z.infer<typeof Preferences>

/** With the language of the own pages and emails; null follows the browser. Left out of a change, it stays as it is. */
const PreferencesAnswer = z.object({ ...Preferences.shape, Language: z.enum(languages).nullable() })
export type OwnPreferences = z.infer<typeof PreferencesAnswer>

const isCoordinator = (level: number): boolean => level === Level.Coord
const isStudent = (level: number): boolean => level === Level.Student
/** Emails that a person may do without: reminders and news. The label is the one in the email log. */
export const mutableEmails: readonly { Label: string; isFor: (level: number) => boolean }[] = [
  { Label: 'PLACEMENT_made', isFor: isStudent },
  { Label: 'PLACEMENT_changed', isFor: isStudent },
  { Label: 'PLACEMENT_removed', isFor: isStudent },
  { Label: 'SHIFT_swap', isFor: isStudent },
  { Label: 'SHIFT_open', isFor: isStudent },
  { Label: 'SHIFT_change_asked', isFor: isCoordinator },
  { Label: 'SITE_list_answered', isFor: isCoordinator },
  { Label: 'SITE_places_answered', isFor: isCoordinator },
  { Label: 'TIME_unmatched', isFor: isStudent },
  { Label: 'TIME_missed', isFor: isStudent },
  { Label: 'TIME_approved', isFor: isStudent },
  { Label: 'TIME_change_decided', isFor: isStudent },
  { Label: 'TIME_change_asked', isFor: isCoordinator },
  { Label: 'EVALUATION_due', isFor: (level) => level > Level.Registrant },
  { Label: 'EVALUATION_late', isFor: (level) => level > Level.Registrant },
  { Label: 'EVALUATION_completed', isFor: isCoordinator },
  { Label: 'EVALUATION_low_score', isFor: isCoordinator },
  { Label: 'REQUIREMENT_expiring', isFor: isStudent },
  { Label: 'DOCUMENT_added', isFor: (level) => level > Level.Unknown },
  { Label: 'ANNOUNCEMENT_published', isFor: (level) => level > Level.Unknown },
  {
    Label: 'INBOX_weekly',
    isFor: (level) => level === Level.Supervisor || level === Level.CCUnderHood,
  },
  { Label: 'REPORT_weekly', isFor: (level) => level === Level.SuperAdmin },
]

export const getPreferences = endpoint({
  method: 'GET',
  path: '/preferences',
  may: 'signed-in',
  summary: 'The own preferences',
  answer: PreferencesAnswer,
})

export const savePreferences = endpoint({
  method: 'POST',
  path: '/preferences',
  may: 'signed-in',
  summary: 'Change the own preferences',
  body: z.strictObject({ ...Preferences.shape, Language: z.enum(languages).nullable().optional() }),
  answer: PreferencesAnswer,
  errors: { 422: 'the start page is no page of this installation' },
  basis: { read: getPreferences },
})
