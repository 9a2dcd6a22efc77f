import { coreFailures } from '#contract/core/failures.ts'
import type { ArrangementStanding } from '#contract/payments/payments-rules.ts'
import { programFailures } from '#contract/programs/failures.ts'
import { readOptions } from '#contract/programs/program-options.ts'
import * as contract from '#contract/programs/programs.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { requireProof } from '#server/core/http/guard.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { listProgramRows, pagePrograms } from './programs.across.ts'
import {
  addCollege,
  addModality,
  addProgram,
  changeCollege,
  changeModality,
  deleteCollege,
  deleteModality,
  restoreCollege,
  saveProgram,
  saveProgramOptions,
  setProgramDeleted,
} from './programs.commands.ts'
import {
  findCollege,
  findModality,
  findProgram,
  isModalityNameTaken,
  isProgramNameTaken,
  listColleges,
  listModalities,
  listPrograms,
  searchColleges,
} from './programs.queries.ts'

const getCollege = async (db: Db, collegeId: number): Promise<contract.CollegeDetail> => {
  const college = await findCollege(db, collegeId)
  if (!college) throw fail(programFailures.no_college)
  return college
}

const getProgram = async (db: Db, programId: number): Promise<contract.ProgramDetail> => {
  const program = await findProgram(db, programId)
  if (!program) throw fail(coreFailures.no_program)
  return program
}

const refuseTakenName = async (
  db: Db,
  body: { CollegeId: number; Name: string },
  exceptId: number,
): Promise<void> => {
  if (await isProgramNameTaken(db, body.CollegeId, body.Name, exceptId)) {
    throw fail(programFailures.program_name_taken, { Name: body.Name }, 'Name')
  }
}

const refuseTakenModality = async (db: Db, name: string, exceptId: number): Promise<void> => {
  if (await isModalityNameTaken(db, name, exceptId))
    throw fail(programFailures.name_taken, { Name: name }, 'Name')
}

const collegeRoutes = [
  handle(contract.listColleges, ({ db, user, query }) => listColleges(db, user, query.search)),
  handle(contract.searchColleges, ({ db, query }) => searchColleges(db, query)),
  handle(contract.getCollege, ({ db, params }) => getCollege(db, params.collegeId)),

  handle(contract.createCollege, async ({ db, body, user }) => {
    return getCollege(db, await addCollege(db, user.Id, body))
  }),

  handle(contract.updateCollege, async ({ db, params, body, user, audit }) => {
    audit.detail = { Before: await getCollege(db, params.collegeId), After: body }
    await changeCollege(db, params.collegeId, user.Id, body)
    return getCollege(db, params.collegeId)
  }),

  handle(contract.deleteCollege, async ({ db, params, user, audit }) => {
    const college = await getCollege(db, params.collegeId)
    const programs = await listPrograms(db, user, params.collegeId)
    if (programs.length > 0) {
      const count = programs.length === 1 ? '1 program' : `${programs.length} programs`
      throw fail(programFailures.college_in_use, { Name: college.Name, Count: count })
    }
    audit.detail = { Name: college.Name }
    await deleteCollege(db, params.collegeId, user.Id)
  }),

  handle(contract.restoreCollege, async ({ db, params }) => {
    if (!(await restoreCollege(db, params.collegeId))) throw fail(programFailures.no_college)
  }),

  handle(contract.listProgramsOfCollege, async ({ db, user, params }) => {
    if (!(await listColleges(db, user)).some(({ Id }) => Id === params.collegeId))
      throw fail(programFailures.no_college)
    return listPrograms(db, user, params.collegeId)
  }),
]

const standingWords: Record<ArrangementStanding, string> = {
  active: 'Active',
  evidence: 'Evidence missing',
  upcoming: 'Upcoming',
  ended: 'Ended',
}

const exportColumns: readonly ExportColumn<contract.ProgramRow>[] = [
  { title: 'ID', value: (row) => row.Id },
  { title: 'College name', width: 40, value: (row) => row.CollegeName },
  { title: 'Program name', width: 34, value: (row) => row.Name },
  { title: 'Modality', width: 26, value: (row) => row.Modality },
  { title: 'Class', width: 16, value: (row) => row.Class },
  { title: 'State', value: (row) => row.State },
  { title: 'Credit', value: (row) => row.Credit },
  { title: '2FA', value: (row) => row.TwoFactor },
  {
    title: 'Payments',
    value: (row) => (row.Arrangement ? standingWords[row.Arrangement.Standing] : row.Payments),
  },
]

const modalityRoutes = [
  handle(contract.listModalities, ({ db }) => listModalities(db)),

  handle(contract.createModality, async ({ db, body }) => {
    await refuseTakenModality(db, body.Name, 0)
    const id = await addModality(db, body.Name)
    // It was added above, in this transaction.
    return (await findModality(db, id))!
  }),

  handle(contract.updateModality, async ({ db, params, body, audit }) => {
    const before = await findModality(db, params.modalityId)
    if (!before) throw fail(programFailures.no_modality)
    if (!body.DelFlag) await refuseTakenModality(db, body.Name, params.modalityId)
    audit.detail = { Before: before, After: body }
    await changeModality(db, params.modalityId, body)
    // It was changed above, in this transaction.
    return (await findModality(db, params.modalityId))!
  }),

  handle(contract.deleteModality, async ({ db, params, audit }) => {
    const modality = await findModality(db, params.modalityId)
    if (!modality || modality.DelFlag) throw fail(programFailures.no_modality)
    if (modality.ProgramCount > 0) {
      throw fail(programFailures.modality_in_use, { Name: modality.Name })
    }
    audit.detail = { Name: modality.Name }
    await deleteModality(db, params.modalityId)
  }),
]

export const programRoutes = [
  ...collegeRoutes,
  ...modalityRoutes,
  handle(contract.listPrograms, ({ db, user }) => listPrograms(db, user)),

  handle(contract.searchPrograms, ({ db, query }) =>
    pagePrograms(db, query, { deletedDays: contract.recentlyDeletedDays, ...query }),
  ),

  handle(contract.exportPrograms, async ({ db, query }) => {
    const rows = await listProgramRows(db, query, contract.recentlyDeletedDays)
    return tableFile('xlsx', 'Programs', exportColumns, rows)
  }),

  handle(contract.getProgram, ({ db, params }) => getProgram(db, params.programId)),

  handle(contract.createProgram, async ({ db, body, user }) => {
    await getCollege(db, body.CollegeId)
    await refuseTakenName(db, body, 0)
    return getProgram(db, await addProgram(db, user.Id, body))
  }),

  handle(contract.updateProgram, async ({ db, params, body, user, session, audit }) => {
    const before = await getProgram(db, params.programId)
    // Without it whoever finds a session of its staff open is nearer to lasting access.
    if (before.RequiresTotp && !body.RequiresTotp && !user.key) requireProof(session, { lasts: true })
    audit.detail = { Before: before, After: body }
    await getCollege(db, body.CollegeId)
    await refuseTakenName(db, body, params.programId)
    await saveProgram(db, params.programId, user.Id, body)
    return getProgram(db, params.programId)
  }),

  handle(contract.deleteProgram, async ({ db, params, user, audit }) => {
    const program = await getProgram(db, params.programId)
    if (program.DelFlag) throw fail(coreFailures.no_program)
    audit.detail = { Name: program.Name }
    await setProgramDeleted(db, params.programId, user.Id, true)
  }),

  handle(contract.restoreProgram, async ({ db, params, user }) => {
    const program = await getProgram(db, params.programId)
    if (!program.DelFlag) throw fail(coreFailures.no_program)
    await getCollege(db, program.CollegeId)
    await refuseTakenName(db, program, params.programId)
    await setProgramDeleted(db, params.programId, user.Id, false)
  }),

  handle(contract.getProgramOptions, async ({ db, params }) => {
    const row = await db
      .selectFrom('program')
      .select('options')
      .where('id', '=', params.programId)
      .executeTakeFirst()
    if (!row) throw fail(coreFailures.no_program)
    return readOptions(row.options)
  }),

  handle(contract.saveProgramOptions, async ({ db, params, body, user, audit }) => {
    const row = await db
      .selectFrom('program')
      .select('options')
      .where('id', '=', params.programId)
      .executeTakeFirst()
    if (!row) throw fail(coreFailures.no_program)
    audit.detail = { Before: readOptions(row.options), After: body }
    await saveProgramOptions(db, params.programId, user.Id, body)
    return body
  }),
]
