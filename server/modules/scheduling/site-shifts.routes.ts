import type { z } from 'zod'
import { readOptions } from '#contract/programs/program-options.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import { dayText } from '#contract/scheduling/scheduling-rules.ts'
import * as contract from '#contract/scheduling/site-shifts.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { type SiteScope, siteScopeOf } from '../sites/scope.queries.ts'
import { shiftTimes } from './shift-times.rules.ts'
import {
  addSiteShift,
  changeSiteShift,
  moveAssignmentTimes,
  setDayCapacity,
  setSiteShiftDeleted,
} from './site-shifts.commands.ts'
import {
  findOverfullDay,
  findSite,
  findSiteShift,
  findTimesOverlap,
  isShiftCodeTaken,
  listAssignedDates,
  listSiteShifts,
  lockSiteShift,
} from './site-shifts.queries.ts'

type Body = z.output<typeof contract.SiteShiftInput>

const everySite: SiteScope = { supervisorId: null }

const getSiteShift = async (
  db: Db,
  programId: number,
  siteShiftId: number,
  scope = everySite,
): Promise<contract.SiteShift> => {
  const shift = await findSiteShift(db, programId, scope, siteShiftId)
  if (!shift) throw fail(schedulingFailures.no_shift)
  return shift
}

const refuseTakenCode = async (db: Db, programId: number, code: string, exceptId: number): Promise<void> => {
  if (await isShiftCodeTaken(db, programId, code, exceptId))
    throw fail(schedulingFailures.code_taken, { Code: code }, 'Code')
}

const getSite = async (db: Db, programId: number, siteId: number) => {
  const site = await findSite(db, programId, siteId)
  if (!site) throw fail(siteFailures.no_chosen_site)
  return site
}

/** A shift that ends when it starts is a slip of the pen, but in programs with shifts of a day. */
const refuseDayLong = async (db: Db, programId: number, { StartTime, EndTime }: Body): Promise<void> => {
  if (StartTime !== EndTime) return
  const { options } = await db
    .selectFrom('program')
    .select('options')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  if (!readOptions(options).DayLongShifts)
    throw fail(schedulingFailures.same_time, { Time: StartTime }, 'EndTime')
}

/** Fewer places than students already placed on a day to come are refused; days gone by keep their capacity. */
const changeCapacity = async (
  db: Db,
  programId: number,
  shift: contract.SiteShift,
  capacity: number,
): Promise<void> => {
  const today = todayIn(shift.TimeZone)
  const overfull = await findOverfullDay(db, programId, shift.Id, today, capacity)
  if (overfull) {
    throw fail(
      schedulingFailures.capacity,
      { Placed: overfull.placed, Code: shift.Code, Date: dayText(overfull.date), Capacity: capacity },
      'Capacity',
    )
  }
  await setDayCapacity(db, programId, shift.Id, today, capacity)
}

/** New times move the assignments from today on, unless a student would be in two places. */
const changeTimes = async (
  db: Db,
  programId: number,
  shift: contract.SiteShift,
  { StartTime, EndTime }: Body,
): Promise<void> => {
  const dates = await listAssignedDates(db, programId, shift.Id, todayIn(shift.TimeZone))
  if (dates.length === 0) return
  const times = dates.map((date) => {
    const { StartsAt, EndsAt } = shiftTimes(date, StartTime, EndTime, shift.TimeZone)
    return {
      date,
      starts_at: new Date(StartsAt).toISOString(),
      ends_at: new Date(EndsAt).toISOString(),
    }
  })
  const overlap = await findTimesOverlap(db, programId, shift.Id, times)
  if (overlap) {
    throw fail(
      schedulingFailures.overlap,
      { Name: overlap.name, Code: shift.Code, Other: overlap.code, Date: dayText(overlap.date) },
      'StartTime',
    )
  }
  await moveAssignmentTimes(db, programId, shift.Id, times)
}

const inUse = (shift: contract.SiteShift, what: string): Error => {
  const assignments = shift.AssignmentCount === 1 ? '1 assignment' : `${shift.AssignmentCount} assignments`
  return fail(schedulingFailures.shift_in_use, { Code: shift.Code, Change: what, Assignments: assignments })
}

export const siteShiftRoutes = [
  handle(contract.listSiteShifts, ({ db, params, query, user }) =>
    listSiteShifts(db, params.programId, siteScopeOf(user), query),
  ),

  handle(contract.getSiteShift, ({ db, params, user }) =>
    getSiteShift(db, params.programId, params.siteShiftId, siteScopeOf(user)),
  ),

  handle(contract.createSiteShift, async ({ db, params: { programId }, body, user }) => {
    await getSite(db, programId, body.SiteId)
    await refuseTakenCode(db, programId, body.Code, 0)
    await refuseDayLong(db, programId, body)
    const id = await addSiteShift(db, programId, user.Id, body)
    return getSiteShift(db, programId, id)
  }),

  handle(contract.updateSiteShift, async ({ db, params: { programId, siteShiftId }, body, audit }) => {
    await lockSiteShift(db, programId, siteShiftId)
    const before = await getSiteShift(db, programId, siteShiftId)
    await refuseTakenCode(db, programId, body.Code, siteShiftId)
    await refuseDayLong(db, programId, body)
    if (body.SiteId !== before.SiteId) {
      await getSite(db, programId, body.SiteId)
      if (before.AssignmentCount > 0) throw inUse(before, 'move to another site')
    }
    if (body.Capacity !== before.Capacity) await changeCapacity(db, programId, before, body.Capacity)
    if (body.StartTime !== before.StartTime || body.EndTime !== before.EndTime)
      await changeTimes(db, programId, before, body)
    audit.detail = { Before: before, After: body }
    await changeSiteShift(db, { programId, id: siteShiftId }, body)
    return getSiteShift(db, programId, siteShiftId)
  }),

  handle(contract.deleteSiteShift, async ({ db, params: { programId, siteShiftId }, audit }) => {
    await lockSiteShift(db, programId, siteShiftId)
    const before = await getSiteShift(db, programId, siteShiftId)
    if (before.AssignmentCount > 0) throw inUse(before, 'be deleted')
    audit.detail = { Code: before.Code }
    await setSiteShiftDeleted(db, { programId, id: siteShiftId }, true)
  }),

  handle(contract.restoreSiteShift, async ({ db, params: { programId, siteShiftId }, audit }) => {
    const deleted = await lockSiteShift(db, programId, siteShiftId)
    if (!deleted) throw fail(schedulingFailures.no_shift)
    await refuseDeletedParent(db, programId, {
      table: 'site_shift',
      ids: [siteShiftId],
      parent: 'site',
      by: 'site_id',
    })
    await refuseTakenCode(db, programId, deleted.code, siteShiftId)
    audit.detail = { Code: deleted.code }
    await setSiteShiftDeleted(db, { programId, id: siteShiftId }, false)
    return getSiteShift(db, programId, siteShiftId)
  }),
]
