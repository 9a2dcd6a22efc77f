import * as contract from '#contract/scheduling/own-schedule.ts'
import { handle } from '#server/core/http/handle.ts'
import { getPlacingProgram, listDaysOffBetween } from './placement.queries.ts'
import { listOwnShifts } from './planning.queries.ts'

export const ownScheduleRoutes = [
  handle(contract.getOwnSchedule, async ({ db, query, user }) => ({
    // A student always belongs to a program.
    Shifts: await listOwnShifts(db, user.ProgramId!, user.Id, query.FromDate, query.ThroughDate),
    DaysOff: await listDaysOffBetween(db, user.ProgramId!, query.FromDate, query.ThroughDate),
    MaySwap: (await getPlacingProgram(db, user.ProgramId!)).Options.SwapApproval !== 'off',
  })),
]
