import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Html,
  Id,
  Ids,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
} from '#contract/core/fields.ts'
import { automaticProblem, makeEaches, makeOns } from './evaluation-making-rules.ts'

const oneTemplate = z.strictObject({ programId: Id, templateId: Id })
const oneEvaluation = z.strictObject({ evaluationId: Id })
/** The student levels that a template is for; none means all. */
const StudentLevelIds = z.array(z.number().int().min(1).max(20)).max(20)

export const evaluatorRoles = [
  'student',
  'faculty',
  'supervisor',
  'coordinator',
  'peer',
  'self',
  'anonymous',
] as const
export const EvaluatorRole = z.enum(evaluatorRoles)
export const subjectRoles = ['student', 'faculty', 'supervisor', 'site', 'program', 'peer', 'self'] as const
export const SubjectRole = z.enum(subjectRoles)
export const dueRules = ['none', 'after_shift', 'rotation_end', 'fixed'] as const
export const DueRule = z.enum(dueRules)
export const inputTypes = ['short', 'long', 'number', 'date', 'yesno', 'choice'] as const
export const InputType = z.enum(inputTypes)
export type InputType = z.infer<typeof InputType>

const ScoreValue = z.object({
  Id,
  Label: z.string(),
  Value: z.number().nullable(),
  IsNotApplicable: z.boolean(),
  NeedsComment: z.boolean(),
})
export const ScoreType = z.object({
  Id,
  Title: z.string(),
  /** Deleted ones stay on the form as long as an item uses them. */
  IsDeleted: z.boolean(),
  Values: z.array(ScoreValue),
})
export type ScoreType = z.infer<typeof ScoreType>
export const ItemGroup = z.object({ Id, Name: z.string(), IsMandatory: z.boolean() })
export type ItemGroup = z.infer<typeof ItemGroup>
export const ItemCategory = z.object({ Id, Name: z.string() })
export type ItemCategory = z.infer<typeof ItemCategory>
export const Item = z.object({
  Id,
  CategoryId: Id,
  Kind: z.enum(['scored', 'fib']),
  Text: z.string(),
  ScoreTypeId: Id.nullable(),
  GroupId: Id.nullable(),
  InputType: InputType.nullable(),
  Choices: z.array(z.string()),
  IsMandatory: z.boolean(),
})
export type Item = z.infer<typeof Item>

/** What a form asks, in the order of the form: the part that is kept word for word when it is submitted. */
const parts = {
  ScoreTypes: z.array(ScoreType),
  Groups: z.array(ItemGroup),
  Categories: z.array(ItemCategory),
  Items: z.array(Item),
}

export const TemplateItem = z.object({ Id, Title: z.string() })

export const listEvaluationTemplates = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluation-templates',
  may: 'evaluations.read',
  summary: 'The evaluation templates by title',
  params: InProgram,
  answer: z.array(TemplateItem),
})

export const TemplateRow = TemplateItem.extend({
  FormType: z.string().nullable(),
  EvaluatorRole,
  SubjectRole,
  IsAnonymous: z.boolean(),
  StudentLevelIds,
  /** Active, with items, and of no form type or one that is shown: it can be asked for. */
  IsOffered: z.boolean(),
  IsActive: z.boolean(),
  /** Its evaluations are made by its rule. */
  IsAutomatic: z.boolean(),
  ItemCount: z.number().int(),
  EvaluationCount: z.number().int(),
})
export type TemplateRow = z.infer<typeof TemplateRow>

export const searchEvaluationTemplates = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluation-templates/list',
  may: 'evaluations.design',
  summary: 'The templates with what they hold, for managing them',
  params: InProgram,
  answer: z.array(TemplateRow),
})

export const TemplateDetail = z.object({
  Id,
  Title: z.string(),
  FormTypeId: Id.nullable(),
  EvaluatorRole,
  SubjectRole,
  Instructions: z.string(),
  IsAnonymous: z.boolean(),
  IsActive: z.boolean(),
  /** Whether the person it is about sees what was submitted, and the results. */
  IsShownToSubject: z.boolean(),
  DueRule,
  DueDays: z.number().int(),
  DueDate: DateOnly.nullable(),
  StudentLevelIds,
  IsAutomatic: z.boolean(),
  AutomaticFrom: DateOnly.nullable(),
  MakeOn: z.enum(makeOns),
  MakeDays: z.number().int(),
  MakeDate: DateOnly.nullable(),
  MakeEach: z.enum(makeEaches),
  MakePersonIds: z.array(Id),
  RemindBefore: z.number().int().nullable(),
  RemindOnDay: z.boolean(),
  RemindEvery: z.number().int(),
  RemindMost: z.number().int(),
  EscalateAfter: z.number().int().nullable(),
  MayBeAsked: z.boolean(),
  /** Evaluations made from it; from the first one on, who evaluates whom and anonymity stay. */
  EvaluationCount: z.number().int(),
  ...parts,
})
export type TemplateDetail = z.infer<typeof TemplateDetail>

/** What the reader of a form sees of its template, and what is kept of it word for word when it is submitted. */
export type FormWords = Pick<
  TemplateDetail,
  'Title' | 'Instructions' | 'IsAnonymous' | 'ScoreTypes' | 'Groups' | 'Categories' | 'Items'
>

export const formWords = (template: FormWords): FormWords => ({
  Title: template.Title,
  Instructions: template.Instructions,
  IsAnonymous: template.IsAnonymous,
  ScoreTypes: template.ScoreTypes,
  Groups: template.Groups,
  Categories: template.Categories,
  Items: template.Items,
})

/** Whether a template is for students of this level: one that names levels is for none without a level. */
export const isForLevel = (
  template: Pick<TemplateDetail, 'StudentLevelIds'>,
  studentLevelId: number | null,
): boolean =>
  template.StudentLevelIds.length === 0 ||
  (studentLevelId !== null && template.StudentLevelIds.includes(studentLevelId))

export const getEvaluationTemplate = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluation-templates/:templateId',
  may: 'evaluations.read',
  summary: 'One template with its categories, items, groups and scores',
  params: oneTemplate,
  answer: TemplateDetail,
})

/** By what evaluations make themselves: who evaluates whom, when it is made, and when it is due. */
const rule = {
  EvaluatorRole,
  SubjectRole,
  IsAnonymous: z.boolean().default(false),
  DueRule: DueRule.default('none'),
  DueDays: z.number().int().min(0).max(365).default(7),
  DueDate: DateOnly.nullable().default(null),
  StudentLevelIds: StudentLevelIds.default([]),
  /** Nothing is made from before this day. */
  AutomaticFrom: DateOnly.nullable().default(null),
  MakeOn: z.enum(makeOns).default('shift'),
  /** Days after the shift or the end of the rotation; before it where negative. */
  MakeDays: z.number().int().min(-365).max(365).default(0),
  MakeDate: DateOnly.nullable().default(null),
  MakeEach: z.enum(makeEaches).default('shift'),
  /** Which faculty or coordinators; supervisors are those of the site. */
  MakePersonIds: z.array(Id).max(200).default([]),
}
export const TemplateRule = z.strictObject(rule)
export type TemplateRule = z.output<typeof TemplateRule>

const settings = {
  ...rule,
  Title: RequiredLine(255),
  FormTypeId: Id.nullable().default(null),
  Instructions: Html.default(''),
  IsActive: z.boolean().default(true),
  IsShownToSubject: z.boolean().default(true),
  IsAutomatic: z.boolean().default(false),
  RemindBefore: z.number().int().min(1).max(60).nullable().default(3),
  RemindOnDay: z.boolean().default(true),
  /** The day after the due date, then every so many days, so many times at most. */
  RemindEvery: z.number().int().min(1).max(60).default(7),
  RemindMost: z.number().int().min(0).max(20).default(3),
  /** Days overdue after which coordinators are told; null never. */
  EscalateAfter: z.number().int().min(1).max(365).nullable().default(null),
  /** The person it is about may ask an evaluator for it. */
  MayBeAsked: z.boolean().default(false),
}

const checkSettings = (
  template: Omit<z.output<z.ZodObject<typeof settings>>, 'Title'>,
  context: z.RefinementCtx,
): void => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (template.DueRule === 'fixed' && template.DueDate === null)
    refuse('DueDate', 'is required for a fixed day')
  const problem = automaticProblem(template)
  if (problem) refuse(problem.field, problem.text)
}

/** Everything about a template but what it asks, which has calls of its own. */
export const TemplateSettings = z.strictObject(settings).superRefine(checkSettings)
export type TemplateSettings = z.output<typeof TemplateSettings>

/** A value from -99,999 to 99,999 with at most two decimals; null for N/A, which counts for nothing. */
export const ScoreValueInput = z
  .strictObject({
    Label: RequiredLine(255),
    Value: z.number().min(-99_999).max(99_999).multipleOf(0.01, 'has at most two decimals').nullable(),
    IsNotApplicable: z.boolean().default(false),
    NeedsComment: z.boolean().default(false),
  })
  .refine(({ Value, IsNotApplicable }) => IsNotApplicable || Value !== null, {
    path: ['Value'],
    error: 'is required unless it is N/A',
  })

/** Parts refer to each other by their place in the lists, so that a whole template is one call. */
const At = z.number().int().min(0).max(500)

export const TemplateInput = z
  .strictObject({
    ...settings,
    ScoreTypes: z
      .array(
        z.strictObject({
          Title: RequiredLine(255),
          Values: z.array(ScoreValueInput).min(1, 'needs at least one score').max(20),
        }),
      )
      .max(50)
      .default([]),
    Groups: z
      .array(z.strictObject({ Name: RequiredLine(255), IsMandatory: z.boolean() }))
      .max(50)
      .default([]),
    Categories: z
      .array(z.strictObject({ Name: RequiredLine(255) }))
      .max(50)
      .default([]),
    Items: z
      .array(
        z.strictObject({
          Category: At,
          Text: RequiredLine(2_000),
          ScoreType: At,
          Group: At.nullable().default(null),
          IsMandatory: z.boolean().default(false),
        }),
      )
      .max(300)
      .default([]),
    FibItems: z
      .array(
        z.strictObject({
          Category: At,
          Text: RequiredLine(2_000),
          InputType,
          Choices: z.array(RequiredLine(255)).max(50).default([]),
          ScoreType: At.nullable().default(null),
          IsMandatory: z.boolean().default(false),
        }),
      )
      .max(300)
      .default([]),
  })
  .superRefine((template, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const check = (list: 'Items' | 'FibItems') => {
      for (const [index, item] of template[list].entries()) {
        if (item.Category >= template.Categories.length)
          refuse([list, index, 'Category'], 'is not a category of this template')
        if (item.ScoreType !== null && item.ScoreType >= template.ScoreTypes.length) {
          refuse([list, index, 'ScoreType'], 'is not a score type of this template')
        }
      }
    }
    check('Items')
    check('FibItems')
    for (const [index, item] of template.Items.entries()) {
      if (item.Group !== null && item.Group >= template.Groups.length)
        refuse(['Items', index, 'Group'], 'is not a group of this template')
    }
    for (const [index, item] of template.FibItems.entries()) {
      if (item.InputType === 'choice' && item.Choices.length < 2) {
        refuse(['FibItems', index, 'Choices'], 'needs at least two choices')
      }
    }
    checkSettings(template, context)
  })
export type TemplateInput = z.input<typeof TemplateInput>
export type TemplateValues = z.output<typeof TemplateInput>

export const createEvaluationTemplate = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates',
  may: 'evaluations.design',
  summary: 'Add a template, whole',
  params: InProgram,
  body: TemplateInput,
  answer: TemplateDetail,
})

export const updateEvaluationTemplate = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId',
  may: 'evaluations.design',
  summary: 'Change what a template is called, who fills it about whom, and when it is due; its items stay',
  params: oneTemplate,
  body: TemplateSettings,
  answer: TemplateDetail,
  errors: { 409: 'evaluations were made from it, so who evaluates whom and anonymity stay' },
  basis: { read: getEvaluationTemplate },
})

export const copyEvaluationTemplate = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId/copies',
  may: 'evaluations.design',
  summary: 'Add a template with the same settings, scores and items',
  params: oneTemplate,
  answer: TemplateDetail,
})

export const setTemplateActive = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId/is-active',
  may: 'evaluations.design',
  summary: 'Offer a template for new evaluations, or no longer',
  params: oneTemplate,
  query: z.strictObject({ value: z.boolean() }),
})

export const deleteEvaluationTemplate = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/evaluation-templates/:templateId',
  may: 'evaluations.design',
  summary: 'Delete a template; evaluations made from it stay',
  params: oneTemplate,
})

export const restoreEvaluationTemplate = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId/restore',
  may: 'evaluations.design',
  summary: 'Bring a deleted template back',
  params: oneTemplate,
})

/** Uncompleted=0, Completed=1. */
export const EvaluationStatus = z.union([z.literal(0), z.literal(1)])

export const EvaluationRow = z.object({
  Id,
  Date: DateOnly,
  EndDate: DateOnly.nullable(),
  TemplateId: Id,
  Template: z.string(),
  EvaluatorId: Id.nullable(),
  Evaluator: z.string(),
  SubjectId: Id.nullable(),
  Subject: z.string(),
  SiteId: Id.nullable(),
  Site: z.string(),
  /** Never opens by itself: only results show its answers, together with others. */
  IsAnonymous: z.boolean(),
  /** Whether a link lets somebody without an account answer. */
  HasLink: z.boolean(),
  Status: EvaluationStatus,
  IsLate: z.boolean(),
  /** Closed without being submitted. */
  IsStopped: z.boolean(),
  SubmittedAt: Instant.nullable(),
  Score: z.number().nullable(),
})
export type EvaluationRow = z.infer<typeof EvaluationRow>

/** What the status page filters by; bulk changes take the same. */
export const evaluationFilter = {
  TemplateId: Id.optional(),
  AreaId: Id.optional(),
  EvaluatorId: Id.optional(),
  SubjectId: Id.optional(),
  SiteId: Id.optional(),
  Status: z.number().int().min(0).max(1).optional(),
  IsLate: z.boolean().default(false),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  AlumniOnly: z.boolean().default(false),
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).default([]),
  Cohort: Line(100).optional(),
  /** Only those that were stopped; `Status` 0 and `IsLate` leave them out. */
  IsStopped: z.boolean().default(false),
}

export const searchEvaluations = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluations',
  may: 'evaluations.read',
  summary: 'The evaluations of the status page',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    ...evaluationFilter,
    sort: Sort(['Id', 'Date', 'EndDate', 'Status']).default('-Date'),
  }),
  answer: PageOf(EvaluationRow),
})

export const assignEvaluation = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations',
  answersSecret: true,
  may: 'evaluations.assign',
  summary: 'Ask somebody for an evaluation; without an evaluator the answer holds an anonymous link',
  params: InProgram,
  body: z.strictObject({
    TemplateId: Id,
    EvaluatorId: Id.nullable().default(null),
    SubjectId: Id.nullable().default(null),
    SiteId: Id.nullable().default(null),
    Date: DateOnly,
    EndDate: DateOnly.nullable().default(null),
  }),
  answer: EvaluationRow.extend({ Link: z.string() }),
  errors: { 422: 'the template does not fit the people named' },
})

export const deleteEvaluations = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/removals',
  may: 'evaluations.assign',
  summary: 'Remove evaluations that nobody has completed',
  params: InProgram,
  body: z.strictObject({ Ids: Ids.min(1) }),
  answer: z.object({ Removed: z.number().int() }),
})

export const remindEvaluators = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluations/reminders',
  may: 'evaluations.assign',
  summary: 'Write to everybody whose uncompleted evaluations are named, one email each',
  params: InProgram,
  body: z.strictObject({ Ids: Ids.min(1) }),
  answer: z.object({ Emails: z.number().int() }),
})

/** Each list of the own evaluations ends here. */
export const mostOwnEvaluations = 100

export const listOwnEvaluations = endpoint({
  method: 'GET',
  path: '/evaluations/mine',
  may: 'signed-in',
  summary: 'What waits for me, what I have filled, and what others have written about me',
  answer: z.object({
    Waiting: z.array(EvaluationRow),
    Filled: z.array(EvaluationRow),
    AboutMe: z.array(EvaluationRow),
  }),
})

const Answer = z.object({
  ItemId: Id,
  ScoreValueId: Id.nullable(),
  Text: z.string().nullable(),
  Comment: z.string().nullable(),
})

/** The form as it is filled or read: template parts, answers so far, what is still missing. */
export const FilledForm = z.object({
  Id,
  Title: z.string(),
  Instructions: z.string(),
  IsAnonymous: z.boolean(),
  Evaluator: z.string(),
  Subject: z.string(),
  Site: z.string(),
  Date: DateOnly,
  EndDate: DateOnly.nullable(),
  Status: EvaluationStatus,
  IsStopped: z.boolean(),
  SubmittedAt: Instant.nullable(),
  SignedName: z.string(),
  Score: z.number().nullable(),
  /** Only the evaluator fills; everybody else reads. */
  MayFill: z.boolean(),
  ...parts,
  Answers: z.array(Answer),
  Missing: z.array(
    z.object({ Kind: z.enum(['answer', 'comment', 'group']), ItemId: Id, Group: z.string().nullable() }),
  ),
})
export type FilledForm = z.infer<typeof FilledForm>

export const AnswerInput = z.strictObject({
  ItemId: Id,
  ScoreValueId: Id.nullable().default(null),
  Text: Text(10_000).nullable().default(null),
  Comment: Text(10_000).nullable().default(null),
})
export const AnswersInput = z.strictObject({
  Answers: z.array(AnswerInput).max(600).default([]),
  Submit: z.boolean().default(false),
  SignedName: Line(255).default(''),
})

export const getAnswers = endpoint({
  method: 'GET',
  path: '/evaluations/:evaluationId/answers',
  may: 'signed-in',
  summary: 'The form with the answers kept so far',
  params: oneEvaluation,
  answer: FilledForm,
})

export const saveAnswers = endpoint({
  method: 'POST',
  path: '/evaluations/:evaluationId/answers',
  may: 'signed-in',
  summary: 'Keep answers as they are given; with Submit hand the form in, once',
  keptOffline: { version: 1 },
  params: oneEvaluation,
  body: AnswersInput,
  answer: FilledForm,
  errors: { 409: 'it was submitted or stopped before', 422: 'something mandatory is missing' },
})

const byToken = z.strictObject({ token: z.string().min(20).max(100) })

export const getAnonymousForm = endpoint({
  method: 'GET',
  path: '/e/:token',
  may: 'everyone',
  summary: 'The form behind an anonymous link',
  params: byToken,
  answer: FilledForm,
  errors: { 404: 'the link is unknown, used or ended' },
})

export const saveAnonymousAnswers = endpoint({
  method: 'POST',
  path: '/e/:token/answers',
  bodyLimit: 256 * 1024,
  may: 'everyone',
  summary: 'Keep or submit answers through an anonymous link',
  params: byToken,
  body: AnswersInput,
  answer: FilledForm,
  errors: { 404: 'the link is unknown, used or ended', 422: 'something mandatory is missing' },
})
