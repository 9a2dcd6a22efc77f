import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Line, RequiredLine } from '#contract/core/fields.ts'

export const inList = z.strictObject({ programId: Id, listId: Id })

/** Who may grade an exam; the roster of a site narrows it down. */
export const examiners = ['supervisor', 'faculty', 'coordinator'] as const
export type Examiner = (typeof examiners)[number]

const Few = z.number().int().min(0).max(1_000)
/** A value of a score; more than two decimals are kept of none. */
export const Score = z
  .number()
  .min(-99_999)
  .max(99_999)
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), 'can have at most two decimals')
export const PassingPercent = z.number().int().min(1).max(100)

const rules = {
  ElectivesNeeded: Few,
  /** Exams that may be simulated; null without a limit. */
  MostSimulated: Few.nullable(),
  Examiners: z.array(z.enum(examiners)).min(1, 'choose at least one'),
  /** Days within which the student has been at the site of the exam; 0 asks nothing. */
  VisitedWithinDays: Few,
  /** Days after a failed attempt before the next one. */
  RetryDays: z.number().int().min(0).max(365),
  /** Months after which a passed procedure is rechecked; 0 never. */
  RecheckMonths: z.number().int().min(0).max(120),
  PediatricMaxAge: z.number().int().min(0).max(21),
  GeriatricMinAge: z.number().int().min(22).max(120),
  GeriatricNeedsImpairment: z.boolean(),
  /** Items below this value ask for a comment; a procedure may say otherwise. */
  CommentBelow: Score.nullable(),
  /** The least share of the highest score that passes; a procedure may say otherwise. */
  PassingPercent: PassingPercent.nullable(),
}

/** A section as its list sees it. What is counted changes by other work than that of the list's form. */
const Section = z.object({
  Id,
  Name: z.string(),
  IsPatientCare: z.boolean(),
  ElectivesNeeded: z.number().int(),
  MandatoryCount: z.number().int(),
  ElectiveCount: z.number().int(),
  UnreachableCount: z.number().int(),
  WithoutItemsCount: z.number().int(),
})

export const CompetencyList = z.object({
  Id,
  Name: z.string(),
  Registry: z.string(),
  EffectiveOn: DateOnly,
  Cohorts: z.array(z.string()),
  /** The list of students whose cohort has none of its own. */
  IsForOthers: z.boolean(),
  /** Active students whose list this is. */
  StudentCount: z.number().int(),
  ...rules,
  Sections: z.array(Section),
})
export type CompetencyList = z.infer<typeof CompetencyList>

/** Which procedure of the new list one of the former list is; null for none, which is kept as of the former list. */
export const ProcedureMapping = z
  .array(z.strictObject({ ProcedureId: Id, ToProcedureId: Id.nullable() }))
  .max(3_000)
  .refine((rows) => new Set(rows.map(({ ProcedureId }) => ProcedureId)).size === rows.length, {
    message: 'must name each procedure once',
  })
  .refine(
    (rows) => {
      const chosen = rows.flatMap(({ ToProcedureId }) => ToProcedureId ?? [])
      return new Set(chosen).size === chosen.length
    },
    { message: 'must name each procedure of the new list once' },
  )
export type ProcedureMapping = z.infer<typeof ProcedureMapping>

const ListInput = z.strictObject({
  Name: RequiredLine(100),
  Registry: Line(100),
  EffectiveOn: DateOnly,
})

export const listCompetencyLists = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists',
  may: 'competencies.read',
  summary:
    'The competency lists of the program, the newest first, each with its rules and what its sections hold',
  params: InProgram,
  query: z.strictObject({ deleted: z.boolean().default(false) }),
  answer: z.array(CompetencyList),
})

export const createCompetencyList = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Add an empty list, or a new version: a copy of FromListId, whose procedures stay the same ones',
  params: InProgram,
  body: ListInput.extend({ FromListId: Id.nullable().default(null) }),
  answer: CompetencyList,
  errors: { 404: 'FromListId does not exist', 409: 'the name is taken' },
})

const longestCohort = 100
export const updateCompetencyList = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-lists/:listId',
  may: 'competencies.design',
  changesGoals: true,
  summary:
    'Change a list: name, rules, least electives by section, and whose it is. A cohort named here leaves its other list',
  params: inList,
  body: ListInput.extend({
    ...rules,
    Cohorts: z.array(RequiredLine(longestCohort)).max(200),
    /** Made true: cohorts without a list of their own keep the one they had. It ends when another list has it. */
    IsForOthers: z.boolean(),
    /** Sections that are not named keep what they ask. */
    SectionElectives: z.array(z.strictObject({ MajorStudyId: Id, ElectivesNeeded: Few })).max(1_000),
    /**
     * For whom this list is new: for which of its procedures those of the former list count. Procedures that are not named are
     * found by their names.
     */
    Mapping: ProcedureMapping.optional(),
  }),
  answer: CompetencyList,
  errors: {
    409: 'the name is taken',
    422: 'a section is not of this list, or nobody else has the other students',
  },
  basis: {
    read: listCompetencyLists,
    item: 'listId',
    elsewhere: {
      SectionElectives: ({ Sections }: CompetencyList) =>
        Sections.map(({ Id: MajorStudyId, ElectivesNeeded }) => ({ MajorStudyId, ElectivesNeeded })),
    },
  },
})

export const exportCompetencyList = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-lists/:listId/export',
  isHeavy: true,
  mayBePrepared: true,
  may: 'competencies.read',
  summary: 'The procedures of a list as a file, in the columns in which they are imported',
  params: inList,
  query: z.strictObject({ Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

/** What can be deleted, brought back and put in order. */
export const competencyParts = [
  'list',
  'major-study',
  'procedure',
  'participation-level',
  'pathology',
  'score',
  'exam-item',
] as const
export type CompetencyPart = (typeof competencyParts)[number]

const PartIds = z.array(Id).min(1).max(3_000)
const Named = z.strictObject({ Part: z.enum(competencyParts), Ids: PartIds })
const Changed = z.object({ Changed: z.number().int() })

export const removeCompetencyParts = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-parts/removals',
  may: 'competencies.design',
  changesGoals: true,
  summary:
    'Delete parts of a list with what is below them. What was logged or graded keeps them; a score that items use is only no longer offered',
  params: InProgram,
  body: Named,
  answer: Changed.extend({
    /** Scores that are kept, inactive, because exam items use them. */
    Deactivated: z.number().int(),
  }),
  errors: { 409: 'students have this list' },
})

export const restoreCompetencyParts = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-parts/restorations',
  may: 'competencies.design',
  changesGoals: true,
  summary: 'Bring deleted parts back, with what went with them',
  params: InProgram,
  body: Named,
  answer: Changed,
  errors: { 409: 'the name is taken by now' },
})

export const orderCompetencyParts = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-parts/orders',
  may: 'competencies.design',
  summary: 'Put parts of one thing in order; those that are not named follow',
  params: InProgram,
  body: z.strictObject({ Part: z.enum(competencyParts).exclude(['list', 'score']), Ids: PartIds }),
  answer: Changed,
  errors: { 422: 'the parts are not of one thing' },
})
