import { sql } from 'kysely'

/**
 * Notices and emails repeat words of what they tell. Whoever may read that something was sent may not read those words where they
 * open an account, or are of a class of private records (`contract/core/sensitive.ts`).
 */

/** Emails whose link or code is as good as the account. */
const secretLabels = '^(ACCOUNT_|REGISTRANT_confirm$|INBOX_|EXAM_code$|LINK_code$)'
/** Emails that tell of private records. */
export const privateLabels =
  '^(REMEDIATION_|INCIDENT_|PREGNANCY_|REQUIREMENT_(answered|returned|preAdverse)$)'

/** Notices of private records. */
export const privateKinds = [
  'declaration',
  'dose_reading',
  'incident_closed',
  'incident_reported',
  'remediation',
  'requirement_answered',
  'requirement_notice',
  'requirement_returned',
] as const

/** Of a row `m` of `mail`: whether its link or code is as good as the account. */
export const isSecretEmail = sql<boolean>`m.label ~ ${secretLabels}`

/** Of a row `m` of `mail`: whether it tells of a private record. */
export const isPrivateEmail = sql<boolean>`m.label ~ ${privateLabels}`

/** Shown instead of the subject of an email about a private record. */
export const privateSubject = 'About a private record'

/** Shown instead of the subject of an email that may hold a code. */
export const secretSubject = 'About an account'
