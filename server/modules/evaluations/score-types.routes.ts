import { evaluationFailures } from '#contract/evaluations/failures.ts'
import * as contract from '#contract/evaluations/score-types.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  addScoreType,
  deleteOrPurge,
  renameScoreType,
  restoreScoreType,
  writeValues,
} from './score-types.commands.ts'
import { findScoreType, listScoreTypes } from './score-types.queries.ts'
import { findForDesign } from './templates.queries.ts'

const expectTemplate = async (db: Db, programId: number, templateId: number): Promise<void> => {
  if (!(await findForDesign(db, programId, templateId))) throw fail(evaluationFailures.no_template)
}

const getScoreType = async (
  db: Db,
  programId: number,
  templateId: number,
  scoreTypeId: number,
): Promise<contract.ScoreTypeRow> => {
  const type = await findScoreType(db, programId, templateId, scoreTypeId)
  if (!type) throw fail(evaluationFailures.no_score_type)
  return type
}

/** Two scores with the same label could not be told apart on the form. */
const refuseTwins = (values: contract.ScoreTypeInput['Values']): void => {
  const labels = values.map(({ Label }) => Label.toLowerCase())
  const twin = labels.findIndex((label, index) => labels.indexOf(label) < index)
  if (twin >= 0) {
    throw fail(evaluationFailures.label_twice, { Label: values[twin]!.Label }, `Values.${twin}.Label`)
  }
}

const asNew = (values: readonly Omit<contract.ScoreTypeInput['Values'][number], 'Id'>[]) =>
  values.map((value) => ({ ...value, Id: null }))

export const scoreTypeRoutes = [
  handle(contract.listScoreTypes, async ({ db, params: { programId, templateId }, query }) => {
    const template = await db
      .selectFrom('evaluation_template')
      .select('id')
      .where('program_id', '=', programId)
      .where('id', '=', templateId)
      .executeTakeFirst()
    if (!template) throw fail(evaluationFailures.no_template)
    return listScoreTypes(db, programId, templateId, query.deleted)
  }),

  handle(contract.deleteScoreType, async ({ db, params: { programId, templateId, scoreTypeId }, audit }) => {
    await expectTemplate(db, programId, templateId)
    const before = await getScoreType(db, programId, templateId, scoreTypeId)
    audit.detail = { Title: before.Title, IsPurged: before.IsDeleted, Items: before.ItemCount }
    await deleteOrPurge(db, programId, templateId, scoreTypeId)
  }),

  handle(contract.restoreScoreType, async ({ db, params: { programId, templateId, scoreTypeId }, audit }) => {
    await refuseDeletedParent(db, programId, {
      table: 'score_type',
      ids: [scoreTypeId],
      parent: 'evaluation_template',
      by: 'template_id',
      name: 'title',
    })
    await expectTemplate(db, programId, templateId)
    const before = await getScoreType(db, programId, templateId, scoreTypeId)
    audit.detail = { Title: before.Title }
    await restoreScoreType(db, { programId, id: scoreTypeId })
    return { ...before, IsDeleted: false }
  }),

  handle(contract.cloneScoreType, async ({ db, params: { programId, templateId }, query, audit }) => {
    const destinationId = query['destination-template-id']
    if (destinationId === templateId) {
      throw fail(evaluationFailures.same_template, 'destination-template-id')
    }
    await expectTemplate(db, programId, templateId)
    const source = await getScoreType(db, programId, templateId, query['source-score-type-id'])
    await expectTemplate(db, programId, destinationId)
    const id = await addScoreType(db, programId, destinationId, source.Title)
    await writeValues(db, programId, id, asNew(source.Values))
    audit.detail = { Title: source.Title, From: templateId, To: destinationId }
    return getScoreType(db, programId, destinationId, id)
  }),

  handle(contract.createScoreType, async ({ db, params: { programId, templateId }, body }) => {
    await expectTemplate(db, programId, templateId)
    refuseTwins(body.Values)
    const id = await addScoreType(db, programId, templateId, body.Title)
    await writeValues(db, programId, id, asNew(body.Values))
    return getScoreType(db, programId, templateId, id)
  }),

  handle(contract.updateScoreType, async ({ db, params, body, audit }) => {
    const { programId, templateId, scoreTypeId } = params
    await expectTemplate(db, programId, templateId)
    const before = await getScoreType(db, programId, templateId, scoreTypeId)
    refuseTwins(body.Values)
    const gone = body.Values.findIndex(
      ({ Id }) => Id !== null && !before.Values.some((value) => value.Id === Id),
    )
    if (gone >= 0) {
      throw fail(evaluationFailures.score_gone, { Label: body.Values[gone]!.Label }, `Values.${gone}.Id`)
    }
    audit.detail = { Before: before.Values, After: body.Values }
    await renameScoreType(db, { programId, id: scoreTypeId }, body.Title)
    await writeValues(db, programId, scoreTypeId, body.Values)
    return getScoreType(db, programId, templateId, scoreTypeId)
  }),
]
