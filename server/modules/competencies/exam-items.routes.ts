import { sql } from 'kysely'
import { readItemLines } from '#contract/competencies/competency-rules.ts'
import * as contract from '#contract/competencies/exam-items.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  addScore,
  changeItem,
  changeScore,
  copyItems,
  insertItems,
  writeValues,
} from './exam-items.commands.ts'
import {
  findProcedureName,
  findScore,
  listItems,
  listLiveProcedures,
  listScores,
} from './exam-items.queries.ts'
import { takenLines } from './procedures.routes.ts'

const getScore = async (db: Db, programId: number, scoreId: number): Promise<contract.CompetencyScore> => {
  const score = await findScore(db, programId, scoreId)
  if (!score) throw fail(competencyFailures.no_score)
  return score
}

const checkScore = async (
  db: Db,
  programId: number,
  { Name, Values }: contract.ScoreInput,
  before?: contract.CompetencyScore,
): Promise<void> => {
  const within = sql<boolean>`program_id = ${programId}`
  if (await isNameTaken(db, { table: 'competency_score', within }, Name, before?.Id ?? 0))
    throw fail(competencyFailures.name_taken, { Name }, 'Name')
  const labels = Values.map(({ Label }) => Label.toLowerCase())
  const twin = labels.findIndex((label, index) => labels.indexOf(label) < index)
  if (twin >= 0)
    throw fail(competencyFailures.label_twice, { Label: Values[twin]!.Label }, `Values.${twin}.Label`)
  if (!Values.some(({ IsPassing }) => IsPassing)) throw fail(competencyFailures.none_passes, 'Values')
  const gone = Values.findIndex(({ Id }) => Id !== null && !before?.Values.some((value) => value.Id === Id))
  if (gone >= 0)
    throw fail(competencyFailures.value_gone, { Label: Values[gone]!.Label }, `Values.${gone}.Id`)
}

const scoreRoutes = [
  handle(contract.listCompetencyScores, ({ db, params: { programId }, query }) =>
    listScores(db, programId, query.deleted),
  ),

  handle(contract.createCompetencyScore, async ({ db, params: { programId }, body }) => {
    await checkScore(db, programId, body)
    const id = await addScore(db, programId, body)
    await writeValues(db, programId, id, body.Values)
    return getScore(db, programId, id)
  }),

  handle(contract.updateCompetencyScore, async ({ db, params: { programId, scoreId }, body, audit }) => {
    const before = await getScore(db, programId, scoreId)
    await checkScore(db, programId, body, before)
    audit.detail = { Before: before, After: body }
    await changeScore(db, { programId, id: scoreId }, body)
    await writeValues(db, programId, scoreId, body.Values)
    return getScore(db, programId, scoreId)
  }),
]

const expectProcedure = async (db: Db, programId: number, procedureId: number): Promise<string> => {
  const name = await findProcedureName(db, programId, procedureId)
  if (name === undefined) throw fail(competencyFailures.no_procedure)
  return name
}

type ItemRules = Pick<contract.ExamItem, 'ScoreId' | 'DefaultValueId' | 'IsCritical'>

/** An item keeps a score that is no longer offered; another one takes only what is. */
const checkRules = async (
  db: Db,
  programId: number,
  { ScoreId, DefaultValueId, IsCritical }: ItemRules,
  before?: contract.ExamItem,
): Promise<void> => {
  const score = await findScore(db, programId, ScoreId)
  if (!score || (!score.IsActive && before?.ScoreId !== ScoreId))
    throw fail(competencyFailures.not_offered, 'ScoreId')
  if (DefaultValueId !== null && !score.Values.some(({ Id }) => Id === DefaultValueId))
    throw fail(competencyFailures.not_of_score, { Name: score.Name }, 'DefaultValueId')
  if (IsCritical && DefaultValueId !== null) throw fail(competencyFailures.critical_default, 'DefaultValueId')
}

const itemRoutes = [
  handle(contract.listExamItems, async ({ db, params: { programId, procedureId } }) => {
    await expectProcedure(db, programId, procedureId)
    return listItems(db, programId, procedureId)
  }),

  handle(contract.createExamItems, async ({ db, params, body: { Lines, ...rules }, audit }) => {
    const { programId, procedureId } = params
    const procedure = await expectProcedure(db, programId, procedureId)
    await checkRules(db, programId, rules)
    const existing = await listItems(db, programId, procedureId)
    const read = readItemLines(
      Lines,
      existing.map(({ Text }) => Text),
    )
    const texts = takenLines(read, 'Text')
    const Ids = await insertItems(db, programId, procedureId, texts, rules)
    audit.detail = { Procedure: procedure, Texts: texts.slice(0, 50) }
    return { Ids, Refused: read.Refused }
  }),

  handle(contract.updateExamItem, async ({ db, params, body, audit }) => {
    const { programId, procedureId, itemId } = params
    const procedure = await expectProcedure(db, programId, procedureId)
    const [before] = await listItems(db, programId, procedureId, itemId)
    if (!before) throw fail(competencyFailures.no_exam_item)
    await checkRules(db, programId, body, before)
    audit.detail = { Procedure: procedure, Before: before, After: body }
    await changeItem(db, { programId, id: itemId }, body)
    return { Id: itemId, ...body }
  }),

  handle(contract.copyExamItems, async ({ db, params: { programId, procedureId }, body, audit }) => {
    const procedure = await expectProcedure(db, programId, procedureId)
    const wanted = new Set(body.ProcedureIds)
    if ((await listLiveProcedures(db, programId, [...wanted])).length < wanted.size)
      throw fail(competencyFailures.copied_procedure_gone, 'ProcedureIds')
    const made = await copyItems(db, programId, procedureId, [...wanted])
    audit.detail = { From: procedure, To: wanted.size, Items: made.length }
    return { Ids: made.map(({ id }) => id), Procedures: new Set(made.map((row) => row.skill_id)).size }
  }),
]

export const competencyExamRoutes = [...scoreRoutes, ...itemRoutes]
