import { sql } from 'kysely'
import { coreFailures } from '#contract/core/failures.ts'
import { programFailures } from '#contract/programs/failures.ts'
import * as contract from '#contract/programs/program-kinds.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  addProgramClass,
  addProgramType,
  changeProgramClass,
  changeProgramType,
  deleteProgramClass,
  deleteProgramType,
} from './kinds.commands.ts'
import { changeProgram } from './programs.commands.ts'

const classes = (db: Db) =>
  db
    .selectFrom('program_class')
    .select(['id as Id', 'name as Name', 'value as Value', 'is_default as IsDefault'])
    .select(sql<boolean>`false`.as('DelFlag'))
    .where('deleted_at', 'is', null)

const getClass = async (db: Db, id: number): Promise<contract.ProgramClass> => {
  const found = await classes(db).where('id', '=', id).executeTakeFirst()
  if (!found) throw fail(programFailures.no_class)
  return found
}

const refuseTakenClass = async (db: Db, name: string, exceptId: number): Promise<void> => {
  const taken = await classes(db)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  if (taken) throw fail(programFailures.class_name_taken, 'Name')
}

const types = (db: Db) =>
  db.selectFrom('program_type').select(['id as Id', 'name as Name']).where('deleted_at', 'is', null)

const getType = async (db: Db, id: number): Promise<contract.ProgramType> => {
  const found = await types(db).where('id', '=', id).executeTakeFirst()
  if (!found) throw fail(programFailures.no_type)
  return found
}

const refuseTakenType = async (db: Db, name: string, exceptId: number): Promise<void> => {
  const taken = await types(db)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  if (taken) throw fail(programFailures.name_taken, { Name: name }, 'Name')
}

const classRoutes = [
  handle(contract.listProgramClasses, ({ db }) => classes(db).orderBy('id').execute()),

  handle(contract.createProgramClass, async ({ db, body }) => {
    await refuseTakenClass(db, body.Name, 0)
    return getClass(db, await addProgramClass(db, body))
  }),

  handle(contract.updateProgramClass, async ({ db, params: { classId }, body, audit }) => {
    const before = await getClass(db, classId)
    if (before.IsDefault && before.Name !== body.Name)
      throw fail(programFailures.default_class_name, { Name: before.Name }, 'Name')
    await refuseTakenClass(db, body.Name, classId)
    audit.detail = { Before: before, After: body }
    await changeProgramClass(db, classId, body)
    return getClass(db, classId)
  }),

  handle(contract.deleteProgramClass, async ({ db, params: { classId }, audit }) => {
    const before = await getClass(db, classId)
    if (before.IsDefault) throw fail(programFailures.default_class, { Name: before.Name })
    audit.detail = { Name: before.Name }
    await deleteProgramClass(db, classId)
  }),
]

const typeRoutes = [
  handle(contract.listProgramTypes, ({ db }) => types(db).orderBy(sql`lower(name)`).execute()),

  handle(contract.createProgramType, async ({ db, body }) => {
    await refuseTakenType(db, body.Name, 0)
    return getType(db, await addProgramType(db, body.Name))
  }),

  handle(contract.updateProgramType, async ({ db, params: { typeId }, body, audit }) => {
    const before = await getType(db, typeId)
    await refuseTakenType(db, body.Name, typeId)
    audit.detail = { Before: before, After: body }
    await changeProgramType(db, typeId, body.Name)
    return getType(db, typeId)
  }),

  handle(contract.deleteProgramType, async ({ db, params: { typeId }, audit }) => {
    const { Name } = await getType(db, typeId)
    audit.detail = { Name }
    await deleteProgramType(db, typeId)
  }),

  handle(contract.categorizeProgram, async ({ db, params: { programId }, query, audit }) => {
    const before = await db
      .selectFrom('program')
      .select('program_type_id')
      .where('id', '=', programId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!before) throw fail(coreFailures.no_program)
    const isThere =
      query.id === undefined || (await types(db).where('id', '=', query.id).executeTakeFirst()) !== undefined
    if (!isThere) throw fail(programFailures.type_gone, 'id')
    audit.detail = { Before: before.program_type_id, After: query.id ?? null }
    await changeProgram(db, programId, { program_type_id: query.id ?? null })
  }),
]

export const programKindRoutes = [...classRoutes, ...typeRoutes]
