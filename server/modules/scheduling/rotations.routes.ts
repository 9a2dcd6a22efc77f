import type { z } from 'zod'
import { areaFailures } from '#contract/areas/failures.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import * as contract from '#contract/scheduling/rotations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { addRotation, changeRotation, setRotationDeleted } from './rotations.commands.ts'
import {
  findAreasAndLevels,
  findRotation,
  isRotationNameTaken,
  listRotations,
  lockRotation,
} from './rotations.queries.ts'

type Body = z.output<typeof contract.RotationInput>

const getRotation = async (db: Db, programId: number, rotationId: number): Promise<contract.Rotation> => {
  const rotation = await findRotation(db, programId, rotationId)
  if (!rotation) throw fail(schedulingFailures.no_rotation)
  return rotation
}

const refuseTakenName = async (db: Db, programId: number, name: string, exceptId: number): Promise<void> => {
  if (await isRotationNameTaken(db, programId, name, exceptId))
    throw fail(schedulingFailures.name_taken, { Name: name }, 'Name')
}

const refuseForeign = async (db: Db, programId: number, body: Body): Promise<void> => {
  const { AreaIds: areaIds = [], StudentLevelIds: levelIds = [] } = body
  const { areas, levels } = await findAreasAndLevels(db, programId, areaIds, levelIds)
  refuseMissing(areaFailures.no_areas, areaIds, areas)
  refuseMissing(peopleFailures.no_student_levels, levelIds, levels)
}

export const rotationRoutes = [
  handle(contract.listRotations, ({ db, params, query }) => listRotations(db, params.programId, query)),

  handle(contract.getRotation, ({ db, params }) => getRotation(db, params.programId, params.rotationId)),

  handle(contract.createRotation, async ({ db, params: { programId }, body, user }) => {
    await refuseTakenName(db, programId, body.Name, 0)
    await refuseForeign(db, programId, body)
    const id = await addRotation(db, programId, user.Id, body)
    return getRotation(db, programId, id)
  }),

  handle(contract.updateRotation, async ({ db, params: { programId, rotationId }, body, audit }) => {
    const before = await getRotation(db, programId, rotationId)
    await refuseTakenName(db, programId, body.Name, rotationId)
    await refuseForeign(db, programId, body)
    audit.detail = { Before: before, After: body }
    await changeRotation(db, { programId, id: rotationId }, body)
    return getRotation(db, programId, rotationId)
  }),

  handle(contract.deleteRotation, async ({ db, params: { programId, rotationId }, audit }) => {
    await lockRotation(db, programId, rotationId)
    const before = await getRotation(db, programId, rotationId)
    if (before.AssignmentCount > 0) {
      const assignments =
        before.AssignmentCount === 1 ? '1 assignment' : `${before.AssignmentCount} assignments`
      throw fail(schedulingFailures.rotation_in_use, { Name: before.Name, Assignments: assignments })
    }
    audit.detail = { Name: before.Name }
    await setRotationDeleted(db, { programId, id: rotationId }, true)
  }),

  handle(contract.restoreRotation, async ({ db, params: { programId, rotationId }, audit }) => {
    const deleted = await lockRotation(db, programId, rotationId)
    if (!deleted) throw fail(schedulingFailures.no_rotation)
    await refuseTakenName(db, programId, deleted.name, rotationId)
    audit.detail = { Name: deleted.name }
    await setRotationDeleted(db, { programId, id: rotationId }, false)
    return getRotation(db, programId, rotationId)
  }),
]
