import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  PageOf,
  paging,
  RequiredLine,
  Sort,
} from '#contract/core/fields.ts'
import { definitionProblems, operators, subjectNames } from './custom-reports-rules.ts'

const Name = z.string().min(1).max(50)

/** What a custom report asks: names of `reportSubjects`, never SQL. */
export const ReportDefinition = z
  .strictObject({
    Subject: z.enum(subjectNames),
    Columns: z.array(Name).max(20),
    Filters: z
      .array(z.strictObject({ Field: Name, Operator: z.enum(operators), Value: z.string().min(1).max(100) }))
      .max(20)
      .default([]),
    GroupBy: z.array(Name).max(2).default([]),
    /** 'Field' up or '-Field' down; empty is the order of the columns. */
    Sort: z.string().max(51).default(''),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of definitionProblems(value))
      issues.push({ code: 'custom', input: value, path: [path], message })
  })
export type ReportDefinition = z.output<typeof ReportDefinition>

const Kind = z.enum(['text', 'number', 'minutes', 'date', 'flag', 'choice'])
export const ReportField = z.object({
  Name: z.string(),
  Label: z.string(),
  Kind,
  Choices: z.array(z.object({ Value: z.string(), Label: z.string() })),
})
export type ReportField = z.infer<typeof ReportField>

const one = z.strictObject({ programId: Id, reportId: Id })

export const listReportSubjects = endpoint({
  method: 'GET',
  path: '/programs/:programId/custom-report-subjects',
  may: 'custom-reports.use',
  summary: 'What custom reports can be about, with the columns of each in the words of the program',
  params: InProgram,
  answer: z.array(
    z.object({ Subject: z.enum(subjectNames), Label: z.string(), Fields: z.array(ReportField) }),
  ),
})

/** Text as it is, hours in minutes, days YYYY-MM-DD. */
const Cell = z.union([z.string(), z.number(), z.boolean()]).nullable()

export const previewReport = endpoint({
  method: 'POST',
  path: '/programs/:programId/custom-report-preview',
  isHeavy: true,
  mayBeBehind: true,
  may: 'custom-reports.use',
  changes: false,
  summary: 'A page of what a report shows now',
  params: InProgram,
  body: z.strictObject({ Definition: ReportDefinition, ...paging }),
  answer: PageOf(z.array(Cell)).extend({
    Columns: z.array(z.object({ Name: z.string(), Label: z.string(), Kind })),
  }),
})

/** The definition in an address: as JSON, checked like one in a body. */
const DefinitionText = z
  .string()
  .max(8000)
  .transform((text, context) => {
    try {
      const result = ReportDefinition.safeParse(JSON.parse(text))
      if (result.success) return result.data
    } catch {
      // Falls through: what is no JSON is no definition.
    }
    context.addIssue({ code: 'custom', message: 'is not a report definition' })
    return z.NEVER
  })

export const exportReport = endpoint({
  method: 'GET',
  path: '/programs/:programId/custom-report-export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'custom-reports.use',
  summary: 'All rows of a report as a file',
  params: InProgram,
  query: z.strictObject({
    Name: z.string().max(100).default('Report'),
    Definition: DefinitionText,
    Format: z.enum(['xlsx', 'csv']).default('xlsx'),
  }),
  answers: 'file',
})

export const mailings = ['none', 'weekly', 'monthly'] as const

/** A saved report as the reader sees it. */
export const CustomReport = z.object({
  Id,
  Name: z.string(),
  Definition: z.object({
    Subject: z.enum(subjectNames),
    Columns: z.array(z.string()),
    Filters: z.array(z.object({ Field: z.string(), Operator: z.enum(operators), Value: z.string() })),
    GroupBy: z.array(z.string()),
    Sort: z.string(),
  }),
  IsShared: z.boolean(),
  IsOwn: z.boolean(),
  Owner: z.string(),
  ModDate: Instant,
  /** How often the reader gets an email with its link. */
  Mailing: z.enum(mailings),
  NextMailOn: DateOnly.nullable(),
})
export type CustomReport = z.infer<typeof CustomReport>

const ReportInput = z.strictObject({
  Name: RequiredLine(100),
  Definition: ReportDefinition,
  IsShared: z.boolean().default(false),
})

export const listCustomReports = endpoint({
  method: 'GET',
  path: '/programs/:programId/custom-reports',
  may: 'custom-reports.use',
  summary: 'A page of the own reports and those shared in the program',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search: z.string().max(100).default(''),
    sort: Sort(['Name', 'Owner', 'ModDate']).default('Name'),
  }),
  answer: PageOf(CustomReport),
})

export const getCustomReport = endpoint({
  method: 'GET',
  path: '/programs/:programId/custom-reports/:reportId',
  may: 'custom-reports.use',
  summary: 'One saved report, own or shared',
  params: one,
  answer: CustomReport,
})

export const createCustomReport = endpoint({
  method: 'POST',
  path: '/programs/:programId/custom-reports',
  may: 'custom-reports.use',
  summary: 'Save a report',
  params: InProgram,
  body: ReportInput,
  answer: CustomReport,
})

export const updateCustomReport = endpoint({
  method: 'POST',
  path: '/programs/:programId/custom-reports/:reportId',
  may: 'custom-reports.use',
  summary: 'Change an own report',
  params: one,
  body: ReportInput,
  answer: CustomReport,
  errors: { 409: 'it belongs to someone else' },
  basis: { read: getCustomReport },
})

export const deleteCustomReport = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/custom-reports/:reportId',
  may: 'custom-reports.use',
  summary: 'Delete an own report; it can be restored',
  params: one,
  errors: { 409: 'it belongs to someone else' },
})

export const restoreCustomReport = endpoint({
  method: 'POST',
  path: '/programs/:programId/custom-reports/:reportId/restoration',
  may: 'custom-reports.use',
  summary: 'Bring an own deleted report back',
  params: one,
  answer: CustomReport,
})

export const setReportMailing = endpoint({
  method: 'POST',
  path: '/programs/:programId/custom-reports/:reportId/mailing',
  may: 'custom-reports.use',
  summary: 'Order an email with the link of a report every week or month for oneself, or none any more',
  params: one,
  body: z.strictObject({ Mailing: z.enum(mailings) }),
  answer: CustomReport,
  errors: { 422: 'the caller has no email address' },
})
