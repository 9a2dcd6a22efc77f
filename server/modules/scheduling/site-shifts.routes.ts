import { sql } from 'kysely'
import type { z } from 'zod'
import { readOptions } from '#contract/programs/program-options.ts'
import { dayText } from '#contract/scheduling/scheduling-rules.ts'
import * as contract from '#contract/scheduling/site-shifts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { conflict, notFound, ruleBroken } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { type SiteScope, siteScopeOf } from '../sites/scope.queries.ts'
import { shiftTimes } from './shift-times.rules.ts'
import { moveAssignmentTimes, setDayCapacity } from './site-shifts.commands.ts'
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
  if (!shift) throw notFound('This shift')
  return shift
}

const refuseTakenCode = async (db: Db, programId: number, code: string, exceptId: number): Promise<void> => {
  if (await isShiftCodeTaken(db, programId, code, exceptId))
    throw conflict('code_taken', `${code} already exists.`, 'Code')
}

const getSite = async (db: Db, programId: number, siteId: number) => {
  const site = await findSite(db, programId, siteId)
  if (!site) throw notFound('The site')
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
    throw ruleBroken(
      'same_time',
      `The shift would start and end at ${StartTime}. Nothing was saved; check the end, or allow 24-hour shifts in the settings of the program.`,
      'EndTime',
    )
}

const values = (body: Body) => ({
  site_id: body.SiteId,
  code: body.Code,
  name: body.Name,
  type: body.Type,
  weekdays: body.Weekdays,
  start_time: body.StartTime,
  end_time: body.EndTime,
  capacity: body.Capacity,
  start_date: body.StartDate,
  end_date: body.EndDate,
})

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
    throw conflict(
      'capacity',
      `${overfull.placed} students are placed on ${shift.Code} on ${dayText(overfull.date)}, more than ${capacity}. Remove some first, or keep at least ${overfull.placed} places.`,
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
    throw conflict(
      'overlap',
      `With these times ${overlap.name} would be on ${shift.Code} and ${overlap.code} at once on ${dayText(overlap.date)}. Change that assignment first.`,
      'StartTime',
    )
  }
  await moveAssignmentTimes(db, programId, shift.Id, times)
}

const inUse = (shift: contract.SiteShift, what: string): Error => {
  const assignments = shift.AssignmentCount === 1 ? '1 assignment' : `${shift.AssignmentCount} assignments`
  return conflict('in_use', `${shift.Code} cannot ${what} because it has ${assignments}. Remove them first.`)
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
    const { id } = await db
      .insertInto('site_shift')
      .values({ program_id: programId, created_by: user.Id, ...values(body) })
      .returning('id')
      .executeTakeFirstOrThrow()
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
    await db
      .updateTable('site_shift')
      .set(values(body))
      .where('program_id', '=', programId)
      .where('id', '=', siteShiftId)
      .execute()
    return getSiteShift(db, programId, siteShiftId)
  }),

  handle(contract.deleteSiteShift, async ({ db, params: { programId, siteShiftId }, audit }) => {
    await lockSiteShift(db, programId, siteShiftId)
    const before = await getSiteShift(db, programId, siteShiftId)
    if (before.AssignmentCount > 0) throw inUse(before, 'be deleted')
    audit.detail = { Code: before.Code }
    await db
      .updateTable('site_shift')
      .set({ deleted_at: sql`now()` })
      .where('program_id', '=', programId)
      .where('id', '=', siteShiftId)
      .execute()
  }),

  handle(contract.restoreSiteShift, async ({ db, params: { programId, siteShiftId }, audit }) => {
    const deleted = await lockSiteShift(db, programId, siteShiftId)
    if (!deleted) throw notFound('This shift')
    await refuseDeletedParent(db, programId, {
      table: 'site_shift',
      ids: [siteShiftId],
      parent: 'site',
      by: 'site_id',
    })
    await refuseTakenCode(db, programId, deleted.code, siteShiftId)
    audit.detail = { Code: deleted.code }
    await db
      .updateTable('site_shift')
      .set({ deleted_at: null })
      .where('program_id', '=', programId)
      .where('id', '=', siteShiftId)
      .execute()
    return getSiteShift(db, programId, siteShiftId)
  }),
]
