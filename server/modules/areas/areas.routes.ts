import * as contract from '#contract/areas/areas.ts'
import { areaFailures } from '#contract/areas/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addArea, changeArea, setAreaActive, setAreaDeleted } from './areas.commands.ts'
import { findArea, isAreaNameTaken, listAreas } from './areas.queries.ts'

const getArea = async (db: Db, programId: number, areaId: number): Promise<contract.Area> => {
  const area = await findArea(db, programId, areaId)
  if (!area) throw fail(areaFailures.no_area)
  return area
}

const refuseTakenName = async (db: Db, programId: number, name: string, exceptId: number): Promise<void> => {
  if (await isAreaNameTaken(db, programId, name, exceptId)) {
    throw fail(areaFailures.name_taken, { Name: name }, 'Name')
  }
}

/** An area with people can be neither deleted nor set inactive; setting active is always possible. */
const refuseWhileInUse = ({ Name, UserCount }: contract.Area): void => {
  if (UserCount === 0) return
  const people = UserCount === 1 ? '1 person is' : `${UserCount} people are`
  throw fail(areaFailures.in_use, { Name, People: people })
}

export const areaRoutes = [
  handle(contract.listAreas, ({ db, params, query }) => listAreas(db, params.programId, query)),

  handle(contract.createArea, async ({ db, params: { programId }, body, user }) => {
    await refuseTakenName(db, programId, body.Name, 0)
    return getArea(db, programId, await addArea(db, programId, user.Id, body))
  }),

  handle(contract.updateArea, async ({ db, params: { programId, areaId }, body, user, audit }) => {
    const before = await getArea(db, programId, areaId)
    await refuseTakenName(db, programId, body.Name, areaId)
    if (before.IsActive && !body.IsActive) refuseWhileInUse(before)
    audit.detail = { Before: before, After: body }
    await changeArea(db, { programId, id: areaId }, user.Id, body)
    return getArea(db, programId, areaId)
  }),

  handle(contract.toggleArea, async ({ db, params: { programId, areaId }, user, audit }) => {
    const before = await getArea(db, programId, areaId)
    if (before.IsActive) refuseWhileInUse(before)
    audit.detail = { Name: before.Name, IsActive: !before.IsActive }
    await setAreaActive(db, { programId, id: areaId }, user.Id, !before.IsActive)
    return { ...before, IsActive: !before.IsActive }
  }),

  handle(contract.deleteArea, async ({ db, params: { programId, areaId }, user, audit }) => {
    const before = await getArea(db, programId, areaId)
    refuseWhileInUse(before)
    audit.detail = { Name: before.Name }
    await setAreaDeleted(db, { programId, id: areaId }, user.Id, true)
  }),

  handle(contract.restoreArea, async ({ db, params: { programId, areaId }, user, audit }) => {
    const deleted = await db
      .selectFrom('area')
      .select('name')
      .where('program_id', '=', programId)
      .where('id', '=', areaId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst()
    if (!deleted) throw fail(areaFailures.no_area)
    await refuseTakenName(db, programId, deleted.name, areaId)
    audit.detail = { Name: deleted.name }
    await setAreaDeleted(db, { programId, id: areaId }, user.Id, false)
    return getArea(db, programId, areaId)
  }),
]
