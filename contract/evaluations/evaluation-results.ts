import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, PageOf, paging, Sort } from '#contract/core/fields.ts'

/** What the results are added up by. */
export const resultGroups = ['item', 'category', 'template', 'subject', 'site', 'period'] as const
export const ResultGroup = z.enum(resultGroups)
export type ResultGroup = z.infer<typeof ResultGroup>

const filters = {
  TemplateId: Id.optional(),
  CategoryId: Id.optional(),
  ItemId: Id.optional(),
  SubjectId: Id.optional(),
  SiteId: Id.optional(),
  AreaId: Id.optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
}
const resultFilters = z.strictObject(filters)
export type ResultFilters = z.infer<typeof resultFilters>

/** From 0, the lowest score of each scale, to 100, the highest; one decimal. */
const Percent = z.number()

export const ResultRow = z.object({
  /** The item, category, template, subject or site by its kind and id, or the month: 'item-12', '2026-11'. */
  Key: z.string(),
  /** Empty where a form is about the program as a whole. */
  Name: z.string(),
  /** What it is part of: category and template of an item, template of a category. */
  Detail: z.string(),
  TemplateId: Id.nullable(),
  ItemId: Id.nullable(),
  CategoryId: Id.nullable(),
  SubjectId: Id.nullable(),
  SiteId: Id.nullable(),
  Answers: z.number().int(),
  /** In the item's own scores; null for everything wider than an item. */
  Mean: z.number().nullable(),
  Percent,
  /** What the whole program reached on the same items; null where that would tell about too few others. */
  ProgramPercent: Percent.nullable(),
  /** Scores at the lowest end of their scale, or that asked for a comment. */
  Low: z.number().int(),
})
export type ResultRow = z.infer<typeof ResultRow>

const summary = {
  Totals: z.object({
    Answers: z.number().int(),
    Percent: Percent.nullable(),
    ProgramPercent: Percent.nullable(),
    Low: z.number().int(),
  }),
  /** By month of the evaluation, the first first. */
  Trend: z.array(
    z.object({ Month: z.string(), Percent: Percent.nullable(), ProgramPercent: Percent.nullable() }),
  ),
  /** How many answers are in each fifth of the scale, the lowest first. */
  Fifths: z.array(z.number().int()).length(5),
  /** Whether answers of anonymous forms wait until there are three. */
  IsHeldBack: z.boolean(),
}
export const ResultSummary = z.object(summary)
export type ResultSummary = z.infer<typeof ResultSummary>

const resultSort = Sort(['Name', 'Answers', 'Percent', 'Low'])
export type ResultSort = z.infer<typeof resultSort>

export const getEvaluationResults = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluation-results',
  isHeavy: true,
  mayBeBehind: true,
  may: 'evaluations.results',
  summary:
    'What evaluations come to, by item, category, subject, site or month; anonymous answers in whole threes',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    ...filters,
    By: ResultGroup.default('item'),
    sort: resultSort.default('Percent'),
  }),
  answer: PageOf(ResultRow).extend(summary),
})

export const ResultComment = z.object({
  Item: z.string(),
  Template: z.string(),
  Subject: z.string(),
  Text: z.string(),
  /** The score it explains; null for texts without one and for anonymous forms. */
  Score: z.string().nullable(),
  IsLow: z.boolean(),
  /** Null for anonymous forms. */
  Date: DateOnly.nullable(),
  EvaluationId: Id.nullable(),
})
export type ResultComment = z.infer<typeof ResultComment>

export const listResultComments = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluation-results/comments',
  may: 'evaluations.results',
  summary:
    'Comments and written answers, the newest first; those of anonymous forms last, in no order of time',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filters, LowOnly: z.boolean().default(false) }),
  answer: PageOf(ResultComment),
})

export const exportEvaluationResults = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluation-results/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'evaluations.results',
  summary: 'The results as a file, or the comments',
  params: InProgram,
  query: z.strictObject({
    ...filters,
    By: z.enum([...resultGroups, 'comment']).default('item'),
    sort: resultSort.default('Percent'),
    Format: z.enum(['csv', 'xlsx']).default('xlsx'),
  }),
  answers: 'file',
})

export const getOwnResults = endpoint({
  method: 'GET',
  path: '/evaluations/results',
  isHeavy: true,
  mayBeBehind: true,
  may: 'signed-in',
  summary: 'What evaluations about me come to, of the templates that show it to their subject',
  /** No dates: two periods that differ by a day would tell the one score between them. */
  query: z.strictObject({ TemplateId: Id.optional() }),
  answer: z.object({
    ...summary,
    Items: z.array(ResultRow),
    /** At most 100. */
    Comments: z.array(ResultComment),
  }),
})
