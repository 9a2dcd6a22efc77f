import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, PageOf, paging, Sort } from '#contract/core/fields.ts'

/** What can be deleted in a program and is kept, by how one of the kind is called. Words in braces are the program's own. */
export const deletedKinds = {
  agreement: 'Affiliate agreement',
  announcement: 'Announcement',
  area: '{Area}',
  assignment: 'Schedule assignment',
  'competency-list': 'Competency list',
  'custom-report': 'Custom report',
  document: 'Document',
  'document-category': 'Document category',
  'dose-reading': 'Dosimeter reading',
  'email-text': 'Saved email text',
  employee: 'Employee',
  evaluation: '{Evaluation}',
  'evaluation-category': 'Category of a template',
  'evaluation-item': 'Item of a template',
  'evaluation-template': '{Evaluation} template',
  'exam-item': 'Exam item',
  examiner: 'Examiner',
  'form-type': 'Form type',
  goal: 'Goal of a plan',
  graduate: 'Graduate',
  'item-group': 'Group of a template',
  'lab-check': 'Lab check',
  'major-study': 'Major study',
  'merged-account': 'Merged account',
  note: 'Note',
  outcome: 'Outcome of a plan',
  'participation-level': 'Participation level',
  pathology: 'Pathology',
  'payment-arrangement': 'Payment arrangement',
  'placement-draft': 'Placement draft',
  'placement-plan': 'Placement plan',
  procedure: 'Procedure',
  'procedure-entry': 'Procedure log entry',
  requirement: 'Requirement',
  rotation: 'Rotation',
  score: 'Exam score',
  'score-type': 'Score type of a template',
  site: '{Site}',
  'site-document': 'Document of a {site}',
  'site-part': 'Contact, department or network of a {site}',
  'site-shift': '{Site} shift',
  'time-record': '{Time} record',
  webhook: 'Webhook',
} as const
export type DeletedKind = keyof typeof deletedKinds
export const DeletedKind = z.enum(Object.keys(deletedKinds) as [DeletedKind, ...DeletedKind[]])

export const DeletedRow = z.object({
  Kind: DeletedKind,
  Id,
  /** What it belongs to where its address names that too, such as the site of a document. */
  ParentId: Id.nullable(),
  Name: z.string(),
  /** Where it belongs, or whose it is. */
  Detail: z.string(),
  /** The day that it is about. */
  Day: DateOnly.nullable(),
  DeletedAt: Instant,
  /** Who deleted it; empty for what the product did by itself, and where the audit does not reach back so far. */
  DeletedBy: z.string(),
  DeletedById: Id.nullable(),
  /** What has to be brought back before: its own parent is deleted too. */
  Beneath: z.string().nullable(),
})
export type DeletedRow = z.infer<typeof DeletedRow>

const filter = {
  /** In names and details. */
  search: z.string().max(100).default(''),
  Kind: DeletedKind.optional(),
  /** Who deleted it. */
  PersonId: Id.optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  sort: Sort(['DeletedAt']).default('-DeletedAt'),
}
export const DeletedFilter = z.strictObject(filter)
export type DeletedFilter = z.output<typeof DeletedFilter>

export const listDeleted = endpoint({
  method: 'GET',
  path: '/programs/:programId/deleted',
  may: 'deleted.read',
  mayRepeatPrivate: true,
  summary:
    'What was deleted in the program, newest first, of the kinds that the caller may restore; what went with something else is listed with that',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filter }),
  answer: PageOf(DeletedRow).extend({
    IsTotalCapped: z.boolean(),
    /** Those that the caller sees. */
    Kinds: z.array(DeletedKind),
  }),
})

export const exportDeleted = endpoint({
  method: 'GET',
  path: '/programs/:programId/deleted/export',
  proof: 'file',
  may: 'deleted.read',
  isHeavy: true,
  mayBePrepared: true,
  summary: 'The same rows as a file, without what is private of students',
  params: InProgram,
  query: DeletedFilter.extend({ Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})
