import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, PageOf, paging, Sort, weekFields } from '#contract/core/fields.ts'

/** The figures of a program in one week, by its own days. */
export const WeeklyFigures = z.object({
  ProgramId: Id,
  College: z.string(),
  Program: z.string(),
  /** People who did something on the record in the week. */
  ActivePeople: z.number().int(),
  SignIns: z.number().int(),
  RecordedMinutes: z.number().int(),
  ApprovedMinutes: z.number().int(),
  /** Records of the week that still wait for approval. */
  Waiting: z.number().int(),
  EvaluationsCompleted: z.number().int(),
  /** Due in the week, past due and not completed. */
  EvaluationsLate: z.number().int(),
})
export type WeeklyFigures = z.infer<typeof WeeklyFigures>

const sorts = Sort(['College', 'Program'])
export type WeeklySort = z.infer<typeof sorts>
const filter = {
  /** Any day of the week; the week before this one unless given. */
  Week: DateOnly.optional(),
  search: z.string().max(100).default(''),
  sort: sorts.default('College'),
}

export const getWeeklyReport = endpoint({
  method: 'GET',
  path: '/weekly-reports',
  mayBeBehind: true,
  may: 'weekly-reports.read',
  summary: 'The figures of the programs in a week',
  query: z.strictObject({ ...filter, ...paging }),
  answer: PageOf(WeeklyFigures).extend(weekFields),
})

export const exportWeeklyReport = endpoint({
  method: 'GET',
  path: '/weekly-reports/export',
  proof: 'file',
  isHeavy: true,
  mayBeBehind: true,
  may: 'weekly-reports.read',
  summary: 'The figures of all programs in a week as a file',
  query: z.strictObject({ ...filter, Format: z.enum(['xlsx', 'csv']).default('xlsx') }),
  answers: 'file',
})
