import { sql } from 'kysely'
import { readNameLines } from '#contract/competencies/competency-rules.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import * as contract from '#contract/competencies/procedures.ts'
import type { BodyOf } from '#contract/core/endpoint.ts'
import type { DeclaredFailure } from '#contract/core/failure.ts'
import type { LineRefusal, ReadLines } from '#contract/core/lines.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import { changeElectives } from './competency-lists.commands.ts'
import { removeParts } from './competency-parts.commands.ts'
import { previewChange } from './list-design.commands.ts'
import {
  changeLevel,
  changeMajorStudy,
  changeProcedure,
  changeRules,
  insertLevels,
  insertMajorStudies,
  insertPathologies,
  insertProcedures,
  renamePathology,
  savePathologySetting,
} from './procedures.commands.ts'
import {
  isLevelTaken,
  isListThere,
  type ListScope,
  levelsInSection,
  listLevels,
  listMajorStudies,
  listPathologies,
  listProcedureNames,
  listProcedures,
  procedureIdsIn,
} from './procedures.queries.ts'
import { readPathologySetting } from './standing.queries.ts'

const expectList = async (db: Db, { programId, listId }: ListScope): Promise<void> => {
  if (!(await isListThere(db, programId, listId))) throw fail(competencyFailures.no_competency_list)
}

const refusals: Readonly<Record<LineRefusal, string>> = {
  too_long: 'is too long',
  control: 'has control characters',
  twice: 'is there twice',
  exists: 'is there already',
  full: 'does not fit in anymore',
}

/** The lines that can be taken. @throws Failure when none can, in the words of the first one */
export const takenLines = ({ Taken, Refused }: ReadLines, field: string): readonly string[] => {
  if (Taken.length > 0) return Taken
  const [first] = Refused
  throw first
    ? fail(competencyFailures.nothing_taken, { Line: first.Text, Reason: refusals[first.Reason] }, field)
    : fail(competencyFailures.no_lines, field)
}

const taken = (name: string): Failure => fail(competencyFailures.name_taken_here, { Name: name }, 'Name')

const firstOf = <T>(rows: readonly T[], missing: DeclaredFailure): T => {
  if (rows[0] === undefined) throw fail(missing)
  return rows[0]
}

const namesOf = (rows: readonly { Name: string }[]): string[] => rows.map(({ Name }) => Name)

/** The sections that are meant: all of the list where none is named. */
const sectionsOf = async (
  db: Db,
  scope: ListScope,
  ids: readonly number[] | null,
): Promise<readonly number[]> => {
  const all = (await listMajorStudies(db, scope)).map(({ Id }) => Id)
  if (ids === null && all.length === 0) throw fail(competencyFailures.no_sections, 'MajorStudyIds')
  if (ids?.some((id) => !all.includes(id))) throw fail(competencyFailures.major_study_gone, 'MajorStudyIds')
  return ids ?? all
}

const expectSection = async (db: Db, scope: ListScope, majorStudyId: number): Promise<void> => {
  firstOf(await listMajorStudies(db, { ...scope, id: majorStudyId }), competencyFailures.no_major_study)
}

const majorStudyRoutes = [
  handle(contract.listMajorStudies, async ({ db, params, query }) => {
    await expectList(db, params)
    return listMajorStudies(db, { ...params, isDeleted: query.deleted })
  }),

  handle(contract.createMajorStudies, async ({ db, params, body, audit }) => {
    await expectList(db, params)
    const read = readNameLines(body.Lines, namesOf(await listMajorStudies(db, params)))
    const names = takenLines(read, 'Name')
    const Ids = await insertMajorStudies(db, params, names, {
      isPatientCare: sql<boolean>`${body.IsPatientCare}::boolean`,
      electivesNeeded: body.ElectivesNeeded,
    })
    audit.detail = { Names: names.slice(0, 50) }
    return { Ids, Refused: read.Refused }
  }),

  handle(contract.updateMajorStudy, async ({ db, params, body, audit }) => {
    const { programId, listId, majorStudyId } = params
    const one = { programId, listId, id: majorStudyId }
    const before = firstOf(await listMajorStudies(db, one), competencyFailures.no_major_study)
    const within = sql<boolean>`program_id = ${programId} and list_id = ${listId}`
    if (await isNameTaken(db, { table: 'major_study', within }, body.Name, majorStudyId))
      throw taken(body.Name)
    audit.detail = { Before: before, After: body }
    await changeMajorStudy(db, { programId, id: majorStudyId }, body)
    return firstOf(await listMajorStudies(db, one), competencyFailures.no_major_study)
  }),
]

/** The levels that count in the section a procedure will be in; null takes those of the section. */
const countedIn = async (
  db: Db,
  programId: number,
  before: contract.Procedure,
  { MajorStudyId, CountedLevelIds }: Pick<contract.Procedure, 'MajorStudyId' | 'CountedLevelIds'>,
): Promise<readonly number[]> => {
  if (CountedLevelIds === null) return []
  const ids = await levelsInSection(db, programId, MajorStudyId, CountedLevelIds)
  const isMoved = MajorStudyId !== before.MajorStudyId
  if (!isMoved && CountedLevelIds.some((id) => !ids.includes(id)))
    throw fail(competencyFailures.participation_gone, 'CountedLevelIds')
  return ids
}

/** Changes a procedure, and answers what it was. @throws Failure where it cannot be so */
const saveProcedure = async (
  db: Db,
  scope: ListScope & { procedureId: number },
  body: BodyOf<typeof contract.updateProcedure>,
  by: number,
): Promise<contract.Procedure> => {
  const { programId, listId, procedureId } = scope
  const before = firstOf(
    await listProcedures(db, { programId, listId, id: procedureId }),
    competencyFailures.no_procedure,
  )
  const { Name, CountedLevelIds: _, ...rules } = body
  await expectSection(db, scope, rules.MajorStudyId)
  const within = sql<boolean>`program_id = ${programId} and major_study_id = ${rules.MajorStudyId}`
  if (await isNameTaken(db, { table: 'skill', within }, Name, procedureId)) throw taken(Name)
  const levelIds = await countedIn(db, programId, before, body)
  const isMoved = rules.MajorStudyId !== before.MajorStudyId
  await changeProcedure(db, { programId, id: procedureId }, { Name, ...rules }, { isMoved, levelIds, by })
  return before
}

/** Changes the rules of procedures of a list, and answers of how many. */
const saveProcedures = async (
  db: Db,
  scope: ListScope,
  { Ids, Changes }: BodyOf<typeof contract.changeProcedures>,
  by: number,
): Promise<number> => {
  const ids = await procedureIdsIn(db, scope, Ids)
  if (ids.length > 0) await changeRules(db, scope.programId, ids, Changes, by)
  return ids.length
}

const procedureRoutes = [
  handle(contract.listProcedures, async ({ db, params, query }) => {
    await expectList(db, params)
    return listProcedures(db, { ...params, isDeleted: query.deleted })
  }),

  handle(contract.createProcedures, async ({ db, params, body: { Lines, ...rules }, user, audit }) => {
    await expectList(db, params)
    await expectSection(db, params, rules.MajorStudyId)
    const read = readNameLines(Lines, await listProcedureNames(db, params.programId, rules.MajorStudyId))
    const names = takenLines(read, 'Name')
    const Ids = await insertProcedures(db, params.programId, names, rules, user.Id)
    audit.detail = { ...rules, Names: names.slice(0, 50) }
    return { Ids, Refused: read.Refused }
  }),

  handle(contract.updateProcedure, async ({ db, params, body, user, audit }) => {
    const { programId, listId, procedureId } = params
    audit.detail = { Before: await saveProcedure(db, params, body, user.Id), After: body }
    return firstOf(
      await listProcedures(db, { programId, listId, id: procedureId }),
      competencyFailures.no_procedure,
    )
  }),

  handle(contract.changeProcedures, async ({ db, params, body, user, audit }) => {
    await expectList(db, params)
    audit.detail = body
    return { Changed: await saveProcedures(db, params, body, user.Id) }
  }),
]

/** Changes a participation level, and answers what it was and where it is now. @throws Failure where it cannot be so */
const saveLevel = async (
  db: Db,
  scope: ListScope & { levelId: number },
  { Name, IsCounted, MajorStudyIds }: BodyOf<typeof contract.updateParticipationLevel>,
) => {
  const { programId, listId, levelId } = scope
  const before = firstOf(
    await listLevels(db, { programId, listId, id: levelId }),
    competencyFailures.no_participation_level,
  )
  const majorStudyIds = await sectionsOf(db, scope, MajorStudyIds)
  const own = before.In.map(({ Id }) => Id)
  if (await isLevelTaken(db, programId, Name, majorStudyIds, own)) throw taken(Name)
  await changeLevel(db, programId, before, { name: Name, isCounted: IsCounted, majorStudyIds })
  return { before, majorStudyIds }
}

const levelRoutes = [
  handle(contract.listParticipationLevels, async ({ db, params, query }) => {
    await expectList(db, params)
    return listLevels(db, { ...params, isDeleted: query.deleted })
  }),

  handle(contract.createParticipationLevels, async ({ db, params, body, audit }) => {
    await expectList(db, params)
    const sections = await sectionsOf(db, params, body.MajorStudyIds)
    const inAll = (await listLevels(db, params)).filter((level) =>
      sections.every((id) => level.In.some(({ MajorStudyId }) => MajorStudyId === id)),
    )
    const read = readNameLines(body.Lines, namesOf(inAll))
    const names = takenLines(read, 'Name')
    const Ids = await insertLevels(db, params.programId, names, body.IsCounted, sections)
    audit.detail = { Names: names.slice(0, 50), IsCounted: body.IsCounted, MajorStudyIds: body.MajorStudyIds }
    return { Ids, Refused: read.Refused }
  }),

  handle(contract.updateParticipationLevel, async ({ db, params, body, audit }) => {
    const { before, majorStudyIds } = await saveLevel(db, params, body)
    audit.detail = { Before: before, After: body }
    const after = await listLevels(db, params)
    return firstOf(
      after.filter(
        ({ Name, In }) => Name === body.Name && In.some((each) => majorStudyIds.includes(each.MajorStudyId)),
      ),
      competencyFailures.no_participation_level,
    )
  }),
]

const pathologyRoutes = [
  handle(contract.listPathologies, async ({ db, params, query }) => {
    await expectList(db, params)
    return listPathologies(db, { ...params, isDeleted: query.deleted })
  }),

  handle(contract.createPathologies, async ({ db, params, body, audit }) => {
    await expectList(db, params)
    const known = new Set(await procedureIdsIn(db, params, body.ProcedureIds))
    if (body.ProcedureIds.some((id) => !known.has(id)))
      throw fail(competencyFailures.procedure_gone, 'ProcedureIds')
    // A single procedure says what it has already; of several each takes what it lacks.
    const [only, ...others] = body.ProcedureIds
    const existing = (await listPathologies(db, params)).filter(
      ({ ProcedureId }) => others.length === 0 && ProcedureId === only,
    )
    const read = readNameLines(body.Lines, namesOf(existing))
    const names = takenLines(read, 'Name')
    const Ids = await insertPathologies(db, params.programId, names, body.ProcedureIds)
    audit.detail = { Names: names.slice(0, 50), Procedures: body.ProcedureIds.length }
    return { Ids, Refused: read.Refused }
  }),

  handle(contract.updatePathology, async ({ db, params, body, audit }) => {
    const { programId, listId, pathologyId } = params
    const one = { programId, listId, id: pathologyId }
    const before = firstOf(await listPathologies(db, one), competencyFailures.no_such_pathology)
    const within = sql<boolean>`program_id = ${programId} and skill_id = ${before.ProcedureId}`
    if (await isNameTaken(db, { table: 'pathology', within }, body.Name, pathologyId)) throw taken(body.Name)
    audit.detail = { Before: before.Name, After: body.Name }
    await renamePathology(db, { programId, id: pathologyId }, body.Name)
    return { ...before, Name: body.Name }
  }),

  handle(contract.getPathologySetting, ({ db, params: { programId } }) =>
    readPathologySetting(db, programId),
  ),

  handle(contract.savePathologySetting, async ({ db, params: { programId }, body, audit }) => {
    await savePathologySetting(db, programId, body)
    audit.detail = body
    return body
  }),
]

/** Makes a change of a list that nobody has saved yet. */
const make = (db: Db, scope: ListScope, change: contract.DesignChange, by: number): Promise<unknown> => {
  const { programId, listId } = scope
  switch (change.Kind) {
    case 'procedure': {
      const { Kind: _, ProcedureId: procedureId, ...body } = change
      return saveProcedure(db, { programId, listId, procedureId }, body, by)
    }
    case 'procedures':
      return saveProcedures(db, scope, change, by)
    case 'level':
      return saveLevel(db, { programId, listId, levelId: change.LevelId }, change)
    case 'removal':
      return removeParts(db, programId, change.Part, change.Ids)
    case 'electives':
      return changeElectives(db, { programId, id: listId }, change.ElectivesNeeded)
  }
}

const effectRoutes = [
  handle(contract.previewDesign, async ({ db, params, body: { Change }, user }) => {
    await expectList(db, params)
    return previewChange(db, params, () => make(db, params, Change, user.Id))
  }),
]

export const procedureRoutesOfLists = [
  ...effectRoutes,
  ...majorStudyRoutes,
  ...procedureRoutes,
  ...levelRoutes,
  ...pathologyRoutes,
]
