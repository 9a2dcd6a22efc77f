import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, RequiredLine, SeenRows } from '#contract/core/fields.ts'
import { ScoreType, ScoreValueInput } from './evaluations.ts'

const inTemplate = z.strictObject({ programId: Id, templateId: Id })
const oneScoreType = z.strictObject({ programId: Id, templateId: Id, scoreTypeId: Id })

export const ScoreTypeRow = ScoreType.extend({
  /** Items that use it. */
  ItemCount: z.number().int(),
})
export type ScoreTypeRow = z.infer<typeof ScoreTypeRow>

/** The values in the order of the form; those with an Id are changed, those seen and left out are taken off the form. */
const ScoreTypeInput = z.strictObject({
  Title: RequiredLine(255),
  Values: z
    .array(ScoreValueInput.safeExtend({ Id: Id.nullable().default(null) }))
    .min(1, 'needs at least one score')
    .max(20),
})
export type ScoreTypeInput = z.output<typeof ScoreTypeInput>

export const listScoreTypes = endpoint({
  method: 'GET',
  path: '/programs/:programId/evaluation-templates/:templateId/score-types',
  may: 'evaluations.read',
  summary: "A template's score types, or its deleted ones",
  params: inTemplate,
  query: z.strictObject({ deleted: z.boolean().default(false) }),
  answer: z.array(ScoreTypeRow),
})

/** Deleting a deleted one purges it. Items that use it keep its scores. */
export const deleteScoreType = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/evaluation-templates/:templateId/score-types/:scoreTypeId',
  may: 'evaluations.design',
  summary: 'Delete a score type, or purge a deleted one',
  params: oneScoreType,
})

export const restoreScoreType = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId/score-types/:scoreTypeId',
  may: 'evaluations.design',
  summary: 'Bring a deleted score type back',
  params: oneScoreType,
  answer: ScoreTypeRow,
})

/** The path names the source's template, the query the source and the template that gets the copy. */
export const cloneScoreType = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId/score-types',
  may: 'evaluations.design',
  summary: 'Copy a score type with its values to another template',
  params: inTemplate,
  query: z.strictObject({ 'source-score-type-id': Id, 'destination-template-id': Id }),
  answer: ScoreTypeRow,
  errors: { 422: 'the destination is the template itself' },
})

export const createScoreType = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId/score-types/additions',
  may: 'evaluations.design',
  summary: 'Add a score type with its values',
  params: inTemplate,
  body: ScoreTypeInput,
  answer: ScoreTypeRow,
})

export const updateScoreType = endpoint({
  method: 'POST',
  path: '/programs/:programId/evaluation-templates/:templateId/score-types/:scoreTypeId/changes',
  may: 'evaluations.design',
  summary: 'Change a score type and its values; evaluations that were submitted keep theirs',
  params: oneScoreType,
  body: ScoreTypeInput.extend({
    Seen: z.strictObject({ Values: SeenRows(ScoreType.shape.Values.element.shape) }).optional(),
  }),
  answer: ScoreTypeRow,
  basis: { read: listScoreTypes, item: 'scoreTypeId', rows: { Values: ['Id'] } },
})
