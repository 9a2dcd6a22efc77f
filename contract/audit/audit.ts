import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant } from '#contract/core/fields.ts'

/** What a row of the audit is: somebody changed something, saw a person's record, took a file out, or signed in. */
export const AuditKind = z.enum(['change', 'view', 'sign-in'])
export type AuditKind = z.infer<typeof AuditKind>

export const AuditFilters = z.strictObject({
  /** Who did it. */
  PersonId: Id.optional(),
  /** About whom. */
  SubjectId: Id.optional(),
  Kind: AuditKind.optional(),
  /** Only what keys did. */
  ByKey: z.boolean().default(false),
  /** Only what was done by mailed links, without signing in. */
  ByLink: z.boolean().default(false),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
})

export type AuditFilters = z.output<typeof AuditFilters>

export const AuditRow = z.object({
  Id,
  Date: Instant,
  /** The call, or what happened. */
  Action: z.string(),
  /** The call in words; the action where it is none. */
  Summary: z.string(),
  PersonId: Id.nullable(),
  /** Empty for what the product did by itself. */
  Person: z.string(),
  /** The key that acted for the person. */
  Key: z.string().nullable(),
  /** To whom the link was mailed by which it was done. */
  Link: z.string().nullable(),
  SubjectId: Id.nullable(),
  Subject: z.string().nullable(),
  Address: z.string().nullable(),
  Detail: z.record(z.string(), z.unknown()),
  /** What numbers in the detail are called, by thing and number: 'site 4'. */
  Names: z.record(z.string(), z.string()),
})
export type AuditRow = z.infer<typeof AuditRow>

export const listAudit = endpoint({
  method: 'GET',
  path: '/programs/:programId/audit',
  may: 'audit.read',
  mayRepeatPrivate: true,
  summary: 'Who did or saw what in the program, newest first',
  params: InProgram,
  query: AuditFilters.extend({
    /** `NextCursor` of the answer before. */
    cursor: z.string().max(100).optional(),
  }),
  answer: z.object({ Items: z.array(AuditRow), NextCursor: z.string().nullable() }),
})

export const exportAudit = endpoint({
  method: 'GET',
  path: '/programs/:programId/audit/export',
  proof: 'file',
  may: 'audit.read',
  isHeavy: true,
  mayBePrepared: true,
  summary: 'The same rows as a file, without what is private of students',
  params: InProgram,
  query: AuditFilters.extend({ Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

/** Somebody has seen or changed the student's record. */
export const RecordView = z.object({
  Id,
  Date: Instant,
  Summary: z.string(),
  /** Who; of a key its name. */
  Person: z.string(),
  /** Why it was opened, where somebody from outside the program had to say so. */
  Reason: z.string().nullable(),
  IsChange: z.boolean(),
})
export type RecordView = z.infer<typeof RecordView>

export const listRecordViews = endpoint({
  method: 'GET',
  path: '/record-views/mine',
  class: 'security',
  may: 'record-views.own',
  summary: 'Who has seen or changed the own record, newest first',
  query: z.strictObject({ cursor: z.string().max(100).optional() }),
  answer: z.object({ Items: z.array(RecordView), NextCursor: z.string().nullable() }),
})
