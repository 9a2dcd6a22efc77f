import { sql } from 'kysely'
import type { z } from 'zod'
import * as contract from '#contract/scheduling/rotations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { conflict, notFound } from '#server/core/runtime/failure.ts'
import { setRotationLists } from './rotations.commands.ts'
import {
  countAreasAndLevels,
  findRotation,
  isRotationNameTaken,
  listRotations,
  lockRotation,
} from './rotations.queries.ts'

type Body = z.output<typeof contract.RotationInput>

const getRotation = async (db: Db, programId: number, rotationId: number): Promise<contract.Rotation> => {
  const rotation = await findRotation(db, programId, rotationId)
  if (!rotation) throw notFound('This rotation')
  return rotation
}

const refuseTakenName = async (db: Db, programId: number, name: string, exceptId: number): Promise<void> => {
  if (await isRotationNameTaken(db, programId, name, exceptId))
    throw conflict('name_taken', `${name} already exists.`, 'Name')
}

const refuseForeign = async (db: Db, programId: number, body: Body): Promise<void> => {
  const areaIds = [...new Set(body.AreaIds)]
  const levelIds = [...new Set(body.StudentLevelIds)]
  const { areas, levels } = await countAreasAndLevels(db, programId, areaIds, levelIds)
  if (areas !== areaIds.length) throw notFound('One of the areas')
  if (levels !== levelIds.length) throw notFound('One of the student levels')
}

const values = (body: Body) => ({
  name: body.Name,
  start_date: body.StartDate,
  end_date: body.EndDate,
  cohorts: [...new Set(body.Cohorts)],
  target_minutes: body.TargetMinutes,
  notes: body.Notes,
})

export const rotationRoutes = [
  handle(contract.listRotations, ({ db, params, query }) => listRotations(db, params.programId, query)),

  handle(contract.getRotation, ({ db, params }) => getRotation(db, params.programId, params.rotationId)),

  handle(contract.createRotation, async ({ db, params: { programId }, body, user }) => {
    await refuseTakenName(db, programId, body.Name, 0)
    await refuseForeign(db, programId, body)
    const { id } = await db
      .insertInto('rotation')
      .values({ program_id: programId, created_by: user.Id, ...values(body) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await setRotationLists(db, programId, id, body)
    return getRotation(db, programId, id)
  }),

  handle(contract.updateRotation, async ({ db, params: { programId, rotationId }, body, audit }) => {
    const before = await getRotation(db, programId, rotationId)
    await refuseTakenName(db, programId, body.Name, rotationId)
    await refuseForeign(db, programId, body)
    audit.detail = { Before: before, After: body }
    await db
      .updateTable('rotation')
      .set(values(body))
      .where('program_id', '=', programId)
      .where('id', '=', rotationId)
      .execute()
    await setRotationLists(db, programId, rotationId, body)
    return getRotation(db, programId, rotationId)
  }),

  handle(contract.deleteRotation, async ({ db, params: { programId, rotationId }, audit }) => {
    await lockRotation(db, programId, rotationId)
    const before = await getRotation(db, programId, rotationId)
    if (before.AssignmentCount > 0) {
      const assignments =
        before.AssignmentCount === 1 ? '1 assignment' : `${before.AssignmentCount} assignments`
      throw conflict(
        'in_use',
        `${before.Name} cannot be deleted because it has ${assignments}. Remove them first.`,
      )
    }
    audit.detail = { Name: before.Name }
    await db
      .updateTable('rotation')
      .set({ deleted_at: sql`now()` })
      .where('program_id', '=', programId)
      .where('id', '=', rotationId)
      .execute()
  }),

  handle(contract.restoreRotation, async ({ db, params: { programId, rotationId }, audit }) => {
    const deleted = await lockRotation(db, programId, rotationId)
    if (!deleted) throw notFound('This rotation')
    await refuseTakenName(db, programId, deleted.name, rotationId)
    audit.detail = { Name: deleted.name }
    await db
      .updateTable('rotation')
      .set({ deleted_at: null })
      .where('program_id', '=', programId)
      .where('id', '=', rotationId)
      .execute()
    return getRotation(db, programId, rotationId)
  }),
]
