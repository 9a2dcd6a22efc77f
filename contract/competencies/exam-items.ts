import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Ids, InProgram, RequiredLine, SeenRows } from '#contract/core/fields.ts'
import { Score } from './competency-lists.ts'
import { longestItem } from './competency-rules.ts'
import { Lines, LinesAnswer } from './procedures.ts'

/** What competency exams are graded by: scores with their values, and the items of each procedure. */

const ScoreValue = z.object({
  Id,
  Label: z.string(),
  Value: z.number().nullable(),
  IsPassing: z.boolean(),
})
export const CompetencyScore = z.object({
  Id,
  Name: z.string(),
  /** No longer offered, but used by items that have it. */
  IsActive: z.boolean(),
  Values: z.array(ScoreValue),
  ItemCount: z.number().int(),
})
export type CompetencyScore = z.infer<typeof CompetencyScore>

const ScoreInput = z.strictObject({
  Name: RequiredLine(100),
  IsActive: z.boolean(),
  /** In the order of the exam; those with an Id are changed, those seen and left out are taken away. */
  Values: z
    .array(
      z.strictObject({
        Id: Id.nullable().default(null),
        Label: RequiredLine(100),
        Value: Score.nullable(),
        IsPassing: z.boolean(),
      }),
    )
    .min(2, 'needs at least two values')
    .max(20),
})
export type ScoreInput = z.output<typeof ScoreInput>

export const listCompetencyScores = endpoint({
  method: 'GET',
  path: '/programs/:programId/competency-scores',
  may: 'competencies.read',
  summary: 'The scores by which exams are graded, with their values, or the deleted ones',
  params: InProgram,
  query: z.strictObject({ deleted: z.boolean().default(false) }),
  answer: z.array(CompetencyScore),
})

export const createCompetencyScore = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-scores',
  may: 'competencies.design',
  summary: 'Add a score with its values',
  params: InProgram,
  body: ScoreInput,
  answer: CompetencyScore,
  errors: { 409: 'the name is taken', 422: 'a label occurs twice, or no value passes' },
})

export const updateCompetencyScore = endpoint({
  method: 'POST',
  path: '/programs/:programId/competency-scores/:scoreId',
  may: 'competencies.design',
  summary: 'Change a score and its values; items whose default is taken away have none',
  params: InProgram.extend({ scoreId: Id }),
  body: ScoreInput.extend({ Seen: z.strictObject({ Values: SeenRows(ScoreValue.shape) }).optional() }),
  answer: CompetencyScore,
  errors: { 409: 'the name is taken', 422: 'a label occurs twice, no value passes, or a value is gone' },
  basis: { read: listCompetencyScores, item: 'scoreId', rows: { Values: ['Id'] } },
})

const ofProcedure = z.strictObject({ programId: Id, procedureId: Id })

export const ExamItem = z.object({
  Id,
  Text: z.string(),
  ScoreId: Id,
  /** Set before the examiner begins; a critical item has none. */
  DefaultValueId: Id.nullable(),
  /** Fails the whole attempt when it is not passed. */
  IsCritical: z.boolean(),
})
export type ExamItem = z.infer<typeof ExamItem>

export const listExamItems = endpoint({
  method: 'GET',
  path: '/programs/:programId/procedures/:procedureId/exam-items',
  may: 'competencies.read',
  summary: 'The exam items of a procedure in their order',
  params: ofProcedure,
  answer: z.array(ExamItem),
})

const itemRules = { ScoreId: Id, DefaultValueId: Id.nullable(), IsCritical: z.boolean() }

export const createExamItems = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedures/:procedureId/exam-items',
  may: 'competencies.design',
  summary: 'Add items to the exam of a procedure, one a line',
  params: ofProcedure,
  body: z.strictObject({ Lines, ...itemRules }),
  answer: LinesAnswer,
  errors: { 422: 'no line can be taken, the score is not offered, or a critical item has a default' },
})

export const updateExamItem = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedures/:procedureId/exam-items/:itemId',
  may: 'competencies.design',
  summary: 'Change an exam item',
  params: ofProcedure.extend({ itemId: Id }),
  body: z.strictObject({ Text: RequiredLine(longestItem), ...itemRules }),
  answer: ExamItem,
  errors: { 422: 'the value is not of the score, or a critical item has a default' },
  basis: { read: listExamItems, item: 'itemId' },
})

export const copyExamItems = endpoint({
  method: 'POST',
  path: '/programs/:programId/procedures/:procedureId/exam-items/copies',
  may: 'competencies.design',
  summary:
    'Give the items of a procedure to other ones; items that they have by the same text stay as they are',
  params: ofProcedure,
  body: z.strictObject({ ProcedureIds: Ids.min(1, 'choose at least one').max(3_000) }),
  answer: z.object({ Ids: z.array(Id), Procedures: z.number().int() }),
  errors: { 422: 'a procedure does not exist' },
})
