import { sql } from 'kysely'
import * as contract from '#contract/competencies/competency-lists.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import * as moves from '#contract/competencies/list-moves.ts'
import { Level } from '#contract/core/levels.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { getChangeable } from '../people/changeable.service.ts'
import { changeList, copyList, insertList, setSectionElectives } from './competency-lists.commands.ts'
import { type ExportedProcedure, findList, listExported, listLists } from './competency-lists.queries.ts'
import { orderParts, removeParts, restoreParts } from './competency-parts.commands.ts'
import { changeDesign } from './list-design.commands.ts'
import { giveList, previewGiving, previewStudentMove, undoGiving } from './list-moves.commands.ts'

const getList = async (db: Db, programId: number, listId: number): Promise<contract.CompetencyList> => {
  const list = await findList(db, programId, listId)
  if (!list) throw fail(competencyFailures.no_competency_list)
  return list
}

const refuseTakenName = async (db: Db, programId: number, name: string, exceptId: number): Promise<void> => {
  const within = sql<boolean>`program_id = ${programId}`
  if (await isNameTaken(db, { table: 'competency_list', within }, name, exceptId))
    throw fail(competencyFailures.name_taken, { Name: name }, 'Name')
}

const yesNo = (value: boolean): string => (value ? 'Y' : 'N')

/** In the columns of the import, so that a file goes out and in again. */
const exportColumns: readonly ExportColumn<ExportedProcedure>[] = [
  { title: 'Section', width: 34, value: (row) => row.Section },
  { title: 'Procedure', width: 60, value: (row) => row.Procedure },
  { title: 'Mandatory', width: 12, value: (row) => yesNo(row.IsMandatory) },
  { title: 'LoggedBeforeExam', kind: 'number', width: 18, value: (row) => row.LogsNeeded },
  { title: 'Simulation', width: 12, value: (row) => yesNo(row.MayBeSimulated) },
]

export const competencyListRoutes = [
  handle(contract.listCompetencyLists, ({ db, params: { programId }, query }) =>
    listLists(db, programId, query.deleted),
  ),

  handle(contract.createCompetencyList, async ({ db, params: { programId }, body, user, audit }) => {
    const source = body.FromListId === null ? undefined : await getList(db, programId, body.FromListId)
    await refuseTakenName(db, programId, body.Name, 0)
    const id = await changeDesign(db, programId, async () => {
      const added = await insertList(db, programId, {
        name: body.Name,
        registry: body.Registry,
        effective_on: body.EffectiveOn,
        created_by: user.Id,
      })
      if (source) await copyList(db, { programId, from: source.Id, to: added, by: user.Id })
      return added
    })
    audit.detail = { ListId: id, Name: body.Name, From: source?.Name ?? null }
    return getList(db, programId, id)
  }),

  handle(contract.updateCompetencyList, async ({ db, params: { programId, listId }, body, user, audit }) => {
    const before = await getList(db, programId, listId)
    await refuseTakenName(db, programId, body.Name, listId)
    if (before.IsForOthers && !body.IsForOthers) throw fail(competencyFailures.nobody_else, 'IsForOthers')
    const { kept, students } = await giveList(db, {
      programId,
      listId,
      cohorts: body.Cohorts,
      isForOthers: body.IsForOthers,
      mapping: body.Mapping ?? [],
      by: user.Id,
    })
    if (
      (await setSectionElectives(db, programId, listId, body.SectionElectives)) < body.SectionElectives.length
    )
      throw fail(competencyFailures.section_gone)
    await changeList(db, { programId, id: listId }, body, user.Id)
    audit.detail = {
      Before: before,
      After: body,
      ...(kept.length > 0 && { CohortsThatKeepTheirList: kept }),
      ...(students > 0 && { StudentsWithAnotherList: students }),
    }
    return getList(db, programId, listId)
  }),

  handle(moves.previewListMove, async ({ db, params: { programId, listId }, body, user }) => {
    await getList(db, programId, listId)
    return previewGiving(db, {
      programId,
      listId,
      cohorts: body.Cohorts,
      isForOthers: body.IsForOthers,
      mapping: body.Mapping,
      by: user.Id,
    })
  }),

  handle(moves.previewStudentMove, async ({ db, params: { programId, userId }, body, user }) => {
    const { AccessLevel } = await getChangeable(db, programId, user, userId)
    if (AccessLevel !== Level.Student) throw fail(peopleFailures.no_student)
    return previewStudentMove(db, {
      programId,
      studentId: userId,
      cohort: body.Cohort || null,
      level: body.StudentLevelId,
    })
  }),

  handle(moves.undoListMove, async ({ db, params: { programId, listId }, audit }) => {
    const before = await getList(db, programId, listId)
    if (!(await undoGiving(db, programId, listId))) throw fail(competencyFailures.not_undone)
    const after = await getList(db, programId, listId)
    audit.detail = { Before: before, After: after }
    return after
  }),

  handle(contract.exportCompetencyList, async ({ db, params: { programId, listId }, query, audit }) => {
    const { Name } = await getList(db, programId, listId)
    const rows = await listExported(db, programId, listId)
    audit.detail = { Name, Rows: rows.length }
    return tableFile(query.Format, Name, exportColumns, rows)
  }),

  handle(contract.removeCompetencyParts, async ({ db, params: { programId }, body, audit }) => {
    const { names, ...answer } = await removeParts(db, programId, body.Part, body.Ids)
    audit.detail = { ...body, Names: names }
    return answer
  }),

  handle(contract.restoreCompetencyParts, async ({ db, params: { programId }, body, audit }) => {
    audit.detail = body
    return { Changed: await restoreParts(db, programId, body.Part, body.Ids) }
  }),

  handle(contract.orderCompetencyParts, async ({ db, params: { programId }, body, audit }) => {
    audit.detail = body
    return { Changed: await orderParts(db, programId, body.Part, body.Ids) }
  }),
]
