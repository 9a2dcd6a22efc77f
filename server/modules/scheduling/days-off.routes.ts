import * as contract from '#contract/scheduling/days-off.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addDayOff, changeDayOff, deleteDayOff } from './days-off.commands.ts'
import { listDaysOff } from './days-off.queries.ts'

export const dayOffRoutes = [
  handle(contract.listDaysOff, ({ db, params, query }) => listDaysOff(db, params.programId, query)),

  handle(contract.createDayOff, ({ db, params, body }) => addDayOff(db, params.programId, body)),

  handle(contract.updateDayOff, async ({ db, params: { programId, dayOffId }, body }) => {
    const changed = await changeDayOff(db, { programId, id: dayOffId }, body)
    if (!changed) throw fail(schedulingFailures.no_day_off)
    return changed
  }),

  handle(contract.deleteDayOff, async ({ db, params: { programId, dayOffId }, audit }) => {
    const deleted = await deleteDayOff(db, { programId, id: dayOffId })
    if (!deleted) throw fail(schedulingFailures.no_day_off)
    audit.detail = { Before: deleted }
  }),
]
