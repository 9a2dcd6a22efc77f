import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Email,
  Id,
  Ids,
  InProgram,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Written,
} from '#contract/core/fields.ts'
import { byChoice, bySearch, byValue, queryOf } from '#contract/core/filters.ts'
import { examScopes, exclusionReasons } from './exam-rules.ts'

/** Who may examine at a site, and whom never. */

export const Exclusion = z.object({
  Id,
  StudentId: Id,
  Student: z.string(),
  Reason: z.enum(exclusionReasons),
})

export const ExaminerEntry = z.object({
  Id,
  SiteId: Id,
  Site: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  EmailAddress: z.string(),
  Credential: z.string(),
  CredentialNumber: z.string(),
  ExpiresOn: DateOnly.nullable(),
  Examines: z.enum(examScopes),
  /** The account of the same person. */
  AccountId: Id.nullable(),
  Account: z.string().nullable(),
  /** Students whom they never examine. */
  Exclusions: z.array(Exclusion),
})
export type ExaminerEntry = z.infer<typeof ExaminerEntry>

export const rosterFilters = {
  search: bySearch('Name, email or number'),
  site: byChoice('SiteId', 'site', '{Site}'),
  expiry: byValue('Expiry', 'Credential', { expired: 'Expired', soon: 'Expires in 60 days' }),
} as const

export const listExaminers = endpoint({
  method: 'GET',
  path: '/programs/:programId/examiners',
  may: 'exams.read',
  summary: 'The rosters of the sites by name, or the deleted entries',
  params: InProgram,
  query: z.strictObject({
    ...queryOf(rosterFilters),
    deleted: z.boolean().default(false),
    ...paging,
  }),
  answer: PageOf(ExaminerEntry),
})

export const exportExaminers = endpoint({
  method: 'GET',
  path: '/programs/:programId/examiners/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  may: 'exams.read',
  summary:
    'The rosters of the sites with credentials and their ends, as registries and accreditors ask for them',
  params: InProgram,
  query: z.strictObject({ ...queryOf(rosterFilters), Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

const entry = {
  FirstName: Written('name', RequiredLine(50)),
  LastName: Written('name', RequiredLine(50)),
  EmailAddress: Email,
  /** As people write it: 'R.T.(R)', 'RN'. */
  Credential: RequiredLine(50),
  CredentialNumber: Line(50).default(''),
  /** The last day on which the credential is current. */
  ExpiresOn: DateOnly.nullable().default(null),
  Examines: z.enum(examScopes).default('all'),
  AccountId: Id.nullable().default(null),
}
const oneExaminer = z.strictObject({ programId: Id, examinerId: Id })
const entryErrors = {
  409: 'the email or the account is on the roster of the site already',
  422: 'the account is not a supervisor or staff of the program',
}

export const getExaminer = endpoint({
  method: 'GET',
  path: '/programs/:programId/examiners/:examinerId',
  may: 'exams.read',
  summary: 'An entry of a roster',
  params: oneExaminer,
  answer: ExaminerEntry,
})

export const listExaminerAccounts = endpoint({
  method: 'GET',
  path: '/programs/:programId/examiner-accounts',
  may: 'examiners.manage',
  summary: 'Accounts that an entry can be linked to, found by name or email',
  params: InProgram,
  query: z.strictObject({ search: Line(100).optional(), Ids: Ids.optional(), ...paging }),
  /** Without a count: a full page may have another one after it. */
  answer: PageOf(z.object({ Id, Name: z.string(), Email: z.string() })),
})

export const createExaminers = endpoint({
  method: 'POST',
  path: '/programs/:programId/examiners',
  may: 'examiners.manage',
  summary: 'Put a person on the roster of sites',
  params: InProgram,
  body: z.strictObject({ SiteIds: z.array(Id).min(1, 'choose at least one').max(500), ...entry }),
  answer: z.object({ Ids: z.array(Id) }),
  errors: { 404: 'a site does not exist', ...entryErrors },
})

export const updateExaminer = endpoint({
  method: 'POST',
  path: '/programs/:programId/examiners/:examinerId',
  may: 'examiners.manage',
  summary: 'Change an entry of a roster, or link it to an account',
  params: oneExaminer,
  body: z.strictObject(entry),
  answer: ExaminerEntry,
  errors: entryErrors,
  basis: { read: getExaminer },
})

export const removeExaminers = endpoint({
  method: 'POST',
  path: '/programs/:programId/examiners/removals',
  may: 'examiners.manage',
  summary: 'Take people off their rosters; what they signed stays',
  params: InProgram,
  body: z.strictObject({ Ids: z.array(Id).min(1).max(500) }),
  answer: z.object({ Removed: z.number().int() }),
})

export const restoreExaminers = endpoint({
  method: 'POST',
  path: '/programs/:programId/examiners/restorations',
  may: 'examiners.manage',
  summary: 'Put people back on their rosters',
  params: InProgram,
  body: z.strictObject({ Ids: z.array(Id).min(1).max(500) }),
  answer: z.object({ Restored: z.number().int() }),
  errors: { 409: 'the email or the account is on the roster of the site by now' },
})

export const addExclusion = endpoint({
  method: 'POST',
  path: '/programs/:programId/examiners/:examinerId/exclusions',
  may: 'examiners.manage',
  summary:
    'Never let a person examine a student, at any of their sites: a relative, or the supervisor of a job',
  params: oneExaminer,
  body: z.strictObject({ StudentId: Id, Reason: z.enum(exclusionReasons) }),
  answer: ExaminerEntry,
  errors: { 404: 'the student does not exist' },
})

export const removeExclusion = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/examiners/:examinerId/exclusions/:exclusionId',
  may: 'examiners.manage',
  summary: 'Let a person examine a student again',
  params: oneExaminer.extend({ exclusionId: Id }),
})
