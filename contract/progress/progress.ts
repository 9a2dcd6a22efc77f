import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Line,
  Minutes,
  PageOf,
  paging,
  RequiredLine,
  SeenRows,
  Sort,
  Text,
  withoutDefaults,
} from '#contract/core/fields.ts'
import { sensitive } from '#contract/core/sensitive.ts'
import { defaultRiskRule, hoursBases, paceParts, risks } from './forecast-rules.ts'

export const maxTasks = 30

const Count = z.number().int()
const one = z.strictObject({ programId: Id, studentId: Id })
const onePlan = z.strictObject({ programId: Id, studentId: Id, planId: Id })
const Part = z.enum(paceParts)
const RiskKind = z.enum(risks)

/** What a new student is given before anything is asked of them. */
export const setUpParts = ['cohort', 'level'] as const

const figures = {
  Hours: z.object({
    /** Approved; pending ones are not done. */
    Done: Minutes,
    Pending: Minutes,
    Needed: Minutes,
    PerWeek: z.number(),
    DoneOn: DateOnly.nullable(),
    By: z.enum(hoursBases).nullable(),
    /** Approved and pending hours, assigned shifts less the usual absence, and planned makeup. */
    Projection: Minutes,
    /** What the projection leaves open. */
    ShortMinutes: Minutes,
    /** Of the rotations that run now, the one whose hours the projection leaves most open; null where it reaches them all. */
    ShortIn: z
      .object({ Rotation: z.string(), Done: Minutes, Projection: Minutes, Needed: Minutes })
      .nullable(),
  }),
  Exams: z.object({ Done: Count, Needed: Count, PerWeek: z.number() }),
  RequirementsMissing: Count,
  /** Of the last 120 days. */
  Absences: Count,
  Late: Count,
  MadeUp: Count,
  /** Of named evaluations in the last twelve months, in percent of their scales. */
  EvaluationPercent: z.number().nullable(),
  /** Null without a pace; with `DecidedBy` null as well, neither hours nor competencies are asked yet. */
  CompletesOn: DateOnly.nullable(),
  /** Null when both are done. */
  DecidedBy: Part.nullable(),
  /** The planned end of the cohort. */
  EndsOn: DateOnly.nullable(),
  Risks: z.array(RiskKind),
  /** What somebody has not got yet who is without shifts and records; empty once they are set up. Nothing is a risk of theirs until then that they cannot have met. */
  Lacks: z.array(z.enum(setUpParts)),
}

export const RemediationTask = z.object({
  Id,
  Text: z.string(),
  DueOn: DateOnly.nullable(),
  DoneOn: DateOnly.nullable(),
  DoneBy: z.string().nullable(),
})

export const planStates = ['open', 'completed', 'canceled'] as const

/** What a student and the program agreed on, so that something that went wrong goes right. */
export const RemediationPlan = z.object({
  Id,
  Title: z.string(),
  Goal: z.string(),
  DueOn: DateOnly,
  State: z.enum(planStates),
  /** Grows with every change: a save says which one it started from. */
  Revision: z.number().int(),
  /** What came of it; empty while it is open. */
  Outcome: z.string(),
  By: z.string(),
  StartedOn: DateOnly,
  ClosedOn: DateOnly.nullable(),
  Tasks: z.array(RemediationTask),
})
export type RemediationPlan = z.infer<typeof RemediationPlan>

const SharedNote = z.object({ Id, Text: z.string(), By: z.string(), At: Instant })

export const Progress = z.object({
  ...figures,
  /** Of advising, those that are shared with the student, newest first. */
  Notes: sensitive(z.array(SharedNote), 'conduct'),
  /** Open ones first. */
  Plans: sensitive(z.array(RemediationPlan), 'conduct'),
})
export type Progress = z.infer<typeof Progress>

export const getStudentProgress = endpoint({
  method: 'GET',
  path: '/programs/:programId/students/:studentId/progress',
  may: 'students.files',
  summary: 'How far a student is, the day of completion at the present pace, and remediation plans',
  params: one,
  views: 'studentId',
  answer: Progress,
})

export const getOwnProgress = endpoint({
  method: 'GET',
  path: '/progress/mine',
  may: 'progress.own',
  summary: 'How far one is oneself, with the day of completion, shared notes and remediation plans',
  answer: Progress,
})

export const ProgressRow = z.object({
  StudentId: Id,
  Student: z.string(),
  Cohort: z.string(),
  StudentLevel: z.string().nullable(),
  ...figures,
})
export type ProgressRow = z.infer<typeof ProgressRow>

const filters = {
  search: Line(100).default(''),
  Cohort: Line(100).optional(),
  StudentLevelId: Id.optional(),
  /** Only students at risk. */
  IsAtRisk: z.boolean().default(false),
  /** Only students who are not set up. */
  IsNotSetUp: z.boolean().default(false),
}
const sort = Sort(['CompletesOn', 'Student', 'Hours', 'Exams', 'Absences', 'Risks'])
  .default('-CompletesOn')
  // The latest first: those without a day are at its head.
  .meta({ description: 'by the day of completion, students without one count as the latest' })

export const ProgressFilters = z.object(filters)
export type ProgressFilters = z.output<typeof ProgressFilters>
export type ProgressSort = z.output<typeof sort>

export const listProgress = endpoint({
  method: 'GET',
  path: '/programs/:programId/progress',
  may: 'students.files',
  summary: 'Students by the day of completion',
  params: InProgram,
  query: z.strictObject({ ...paging, ...filters, sort }),
  answer: PageOf(ProgressRow).extend({
    /** The moment of the answer. */
    AsOf: Instant.nullable(),
    /** Of all students that the other filters let through. */
    AtRisk: Count,
    /** Of the same, those who are not set up. */
    NotSetUp: Count,
  }),
})

export const exportProgress = endpoint({
  method: 'GET',
  path: '/programs/:programId/progress/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  may: 'students.files',
  summary: 'The progress of students as a file',
  params: InProgram,
  query: z.strictObject({ ...filters, sort, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

const Limit = (max: number) => z.number().int().min(0).max(max).nullable()
const rule = {
  DaysLate: Limit(365),
  /** A late forecast counts from this many percentage points behind the middle of the cohort; null counts every one. */
  BehindBy: Limit(100).default(defaultRiskRule.BehindBy),
  AbsencesAbove: Limit(100),
  LateAbove: Limit(100),
  EvaluationBelow: Limit(100),
  HasRequirements: z.boolean(),
  /** More missing requirements than these. */
  RequirementsAbove: z.number().int().min(0).max(100).default(defaultRiskRule.RequirementsAbove),
  HasRemediation: z.boolean(),
}

export const ProgressRules = z.object({
  ...rule,
  /** Rules of levels that have their own. */
  Levels: z.array(z.object({ StudentLevelId: Id, ...rule })),
  /** All cohorts with active students, with the planned end where one is set. */
  Cohorts: z.array(z.object({ Cohort: z.string(), EndsOn: DateOnly.nullable() })),
})
export type ProgressRules = z.infer<typeof ProgressRules>

export const getProgressRules = endpoint({
  method: 'GET',
  path: '/programs/:programId/progress-rules',
  may: 'students.files',
  summary: 'What the program calls at risk, and when its cohorts are planned to end',
  params: InProgram,
  answer: ProgressRules,
})

export const saveProgressRules = endpoint({
  method: 'POST',
  path: '/programs/:programId/progress-rules',
  may: 'program.settings',
  changesGoals: true,
  summary: 'Set what is called at risk and the planned ends',
  params: InProgram,
  body: z.strictObject({
    ...rule,
    Levels: z
      .array(z.strictObject({ StudentLevelId: Id, ...rule }))
      .max(100)
      .refine((rows) => new Set(rows.map(({ StudentLevelId }) => StudentLevelId)).size === rows.length, {
        message: 'must name each level once',
      })
      .default([]),
    Cohorts: z
      .array(z.strictObject({ Cohort: RequiredLine(100), EndsOn: DateOnly.nullable() }))
      .max(200)
      .refine((rows) => new Set(rows.map(({ Cohort }) => Cohort)).size === rows.length, {
        message: 'must name each cohort once',
      }),
    /** A level's own rule goes that was seen and is not sent. */
    Seen: z.strictObject({ Levels: SeenRows({ StudentLevelId: Id, ...rule }) }).optional(),
  }),
  answer: ProgressRules,
  basis: { read: getProgressRules, rows: { Levels: ['StudentLevelId'] } },
})

const task = { Text: RequiredLine(300), DueOn: DateOnly.nullable().default(null) }
const plan = { Title: RequiredLine(200), Goal: Text(2000).default(''), DueOn: DateOnly }
const tasksOf = <T extends z.ZodRawShape>(shape: T) =>
  z
    .array(
      z.strictObject({
        /** Of a task that is there already. */
        Id: Id.optional(),
        ...shape,
      }),
    )
    .max(maxTasks)

const PlanInput = z.strictObject({
  ...plan,
  Tasks: tasksOf(task),
})

export const addRemediationPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/remediation-plans',
  class: 'conduct',
  may: 'remediation.write',
  summary: 'Begin a remediation plan; the student is told and sees it',
  params: one,
  body: PlanInput,
  answer: RemediationPlan,
})

export const updateRemediationPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/remediation-plans/:planId',
  class: 'conduct',
  may: 'remediation.write',
  summary: 'Change an open remediation plan',
  params: onePlan,
  body: z.strictObject({
    ...withoutDefaults(plan),
    Tasks: tasksOf(withoutDefaults(task)),
    /** The plan as it was read. */
    Revision: z.number().int().positive(),
  }),
  answer: RemediationPlan,
  errors: { 409: 'it is closed, or somebody has changed it since it was read' },
})

export const setRemediationTask = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/remediation-plans/:planId/tasks/:taskId',
  class: 'conduct',
  may: 'remediation.write',
  summary: 'Say that a task of a remediation plan is done, or not',
  params: onePlan.extend({ taskId: Id }),
  body: z.strictObject({ IsDone: z.boolean() }),
  answer: RemediationPlan,
  errors: { 409: 'the plan is closed' },
})

export const closeRemediationPlan = endpoint({
  method: 'POST',
  path: '/programs/:programId/students/:studentId/remediation-plans/:planId/closing',
  class: 'conduct',
  may: 'remediation.write',
  summary: 'Close a remediation plan with what came of it; the student is told',
  params: onePlan,
  body: z.strictObject({ State: z.enum(['completed', 'canceled']), Outcome: RequiredLine(1000) }),
  answer: RemediationPlan,
  errors: { 409: 'it is closed already' },
})
