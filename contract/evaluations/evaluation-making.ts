import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Ids, InProgram, Instant, Line, PageOf, paging, Text } from '#contract/core/fields.ts'
import { evaluationFilter, TemplateRule } from './evaluations.ts'

/** How far ahead the preview of a rule looks, in days. */
export const previewDays = 30

export const PlannedEvaluation = z.object({
  /** The day on which it is made. */
  Day: DateOnly,
  EndDate: DateOnly.nullable(),
  Evaluator: z.string(),
  Subject: z.string(),
  Site: z.string(),
})
export type PlannedEvaluation = z.infer<typeof PlannedEvaluation>

export const previewAutomatic = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/automatic-previews',
  changes: false,
  may: 'evaluations.design',
  summary: 'What the rule of a template would make in the next 30 days, before it is saved',
  params: InProgram,
  query: z.strictObject({ ...paging }),
  body: z.strictObject({
    /** The template, for leaving out what it made already; null for a new one. */
    TemplateId: Id.nullable(),
    Rule: TemplateRule,
  }),
  answer: PageOf(PlannedEvaluation).extend({ Evaluators: z.number().int() }),
  errors: { 422: 'the rule is not complete' },
})

/** Which students a cohort is: of these levels, of this cohort, found by this text; nothing means all. */
const students = {
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).default([]),
  Cohort: Line(100).default(''),
  Search: Line(100).default(''),
}
export const CohortInput = z.strictObject({
  TemplateId: Id,
  ...students,
  /** Who evaluates, or is evaluated, where it is not the student or the supervisors of the student’s site. */
  PersonIds: z.array(Id).max(200).default([]),
  /** The site that all of it is about; the student’s own where there is none. */
  SiteId: Id.nullable().default(null),
  Date: DateOnly,
  EndDate: DateOnly.nullable().default(null),
})
export type CohortInput = z.output<typeof CohortInput>

export const CohortRow = z.object({
  Student: z.string(),
  Evaluator: z.string(),
  Subject: z.string(),
  Site: z.string(),
  /** `exists`: an open one like it. `missing`: nobody to evaluate, such as no supervisor at the student’s site. */
  State: z.enum(['new', 'exists', 'missing']),
})
export type CohortRow = z.infer<typeof CohortRow>

export const previewCohort = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/cohort-previews',
  changes: false,
  may: 'evaluations.assign',
  summary: 'What assigning a template to a cohort would make, and what exists already',
  params: InProgram,
  query: z.strictObject({ ...paging }),
  body: CohortInput,
  answer: PageOf(CohortRow).extend({
    Students: z.number().int(),
    New: z.number().int(),
    Existing: z.number().int(),
    Missing: z.number().int(),
  }),
  errors: { 422: 'the template is not one for a cohort' },
})

export const assignCohort = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/cohorts',
  may: 'evaluations.assign',
  summary: 'Assign a template to a cohort; what exists already is not made again',
  params: InProgram,
  body: CohortInput,
  answer: z.object({ Made: z.number().int(), BatchId: z.uuid() }),
  errors: { 422: 'the template is not one for a cohort' },
})

export const undoCohort = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/cohort-removals',
  may: 'evaluations.assign',
  summary: 'Take back what was assigned to a cohort, except what was started',
  params: InProgram,
  body: z.strictObject({ BatchId: z.uuid() }),
  answer: z.object({ Removed: z.number().int(), Started: z.number().int() }),
})

/** Evaluations by their ids, or all that match a filter of the status page. */
const selection = {
  Ids: Ids.min(1).optional(),
  Filter: z.strictObject(evaluationFilter).optional(),
}
const oneSelection = ({ Ids: ids, Filter }: { Ids?: unknown; Filter?: unknown }): boolean =>
  (ids === undefined) !== (Filter === undefined)
const selectionMissing = { path: ['Ids'], error: 'or a filter is required, and not both' }
const changed = z.object({
  Changed: z.number().int(),
  /** Those changed, for undoing it; empty where they are more than 5,000. */
  Ids: z.array(Id),
})

export const extendEvaluations = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/extensions',
  may: 'evaluations.assign',
  summary: 'Move the due date of open evaluations by days, or to a date',
  params: InProgram,
  body: z
    .strictObject({
      ...selection,
      /** Those without a due date keep none. */
      Days: z.number().int().min(-365).max(365).optional(),
      EndDate: DateOnly.nullable().optional(),
    })
    .refine(oneSelection, selectionMissing)
    .refine(({ Days, EndDate }) => (Days === undefined) !== (EndDate === undefined), {
      path: ['Days'],
      error: 'or a date is required, and not both',
    }),
  answer: changed.extend({
    /** The due dates before, by date. */
    Before: z.array(z.object({ EndDate: DateOnly.nullable(), Ids: z.array(Id) })),
  }),
})

export const stopEvaluations = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/stops',
  may: 'evaluations.assign',
  summary: 'Close open evaluations without answers; what was started stays readable for staff',
  params: InProgram,
  body: z.strictObject(selection).refine(oneSelection, selectionMissing),
  answer: changed,
})

export const resumeEvaluations = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/resumptions',
  may: 'evaluations.assign',
  summary: 'Open stopped evaluations again',
  params: InProgram,
  body: z.strictObject(selection).refine(oneSelection, selectionMissing),
  answer: changed,
})

export const restoreEvaluations = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/restorations',
  may: 'evaluations.assign',
  summary: 'Bring removed evaluations back; what a rule of a template has withdrawn stays so',
  params: InProgram,
  body: z.strictObject({ Ids: Ids.min(1) }),
  answer: z.object({ Restored: z.number().int() }),
  errors: { 409: 'the template has asked for the same evaluation again' },
})

const oneEvaluation = z.strictObject({ programId: Id, evaluationId: Id })
export const EvaluationLink = z.object({
  Id,
  /** Null for a link from before links could be shown again. */
  Link: z.string().nullable(),
  CreatedAt: Instant,
  CreatedBy: z.string(),
  EndedAt: Instant.nullable(),
})
export type EvaluationLink = z.infer<typeof EvaluationLink>

export const listEvaluationLinks = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluations/:evaluationId/links',
  may: 'evaluations.assign',
  summary: 'The anonymous links of an evaluation, the newest first',
  params: oneEvaluation,
  answer: z.array(EvaluationLink),
})

export const makeEvaluationLink = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/:evaluationId/links',
  proof: true,
  lasts: true,
  answersSecret: true,
  may: 'evaluations.assign',
  summary: 'One more anonymous link; those before keep working',
  params: oneEvaluation,
  answer: EvaluationLink.extend({ Link: z.string() }),
  errors: { 409: 'it is completed or stopped, somebody with an account fills it, or it has 20 links' },
})

export const endEvaluationLink = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/evaluations/:evaluationId/links/:linkId',
  may: 'evaluations.assign',
  summary: 'End one anonymous link',
  params: z.strictObject({ programId: Id, evaluationId: Id, linkId: Id }),
})

export const RequestOptions = z.object({
  Templates: z.array(z.object({ Id, Title: z.string(), EvaluatorRole: z.string() })),
  Evaluators: z.array(z.object({ Id, Name: z.string(), Role: z.string(), Sites: z.array(z.string()) })),
})
export type RequestOptions = z.infer<typeof RequestOptions>

export const listRequestOptions = endpoint({
  method: 'GET',
  path: '/evaluations/request-options',
  may: 'signed-in',
  summary: 'What I may ask an evaluation with, and whom',
  answer: RequestOptions,
})

export const requestEvaluation = endpoint({
  method: 'POST',
  path: '/evaluations/requests',
  may: 'signed-in',
  summary: 'Ask somebody for an evaluation about me',
  body: z.strictObject({ TemplateId: Id, EvaluatorId: Id, Note: Text(1000).default('') }),
  answer: z.object({ Id, Evaluator: z.string(), EndDate: DateOnly.nullable() }),
  errors: {
    409: 'this evaluator was asked already, or too many requests wait',
    422: 'the template or the evaluator may not be asked',
    429: 'asked too often today',
  },
})
