import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import { dayText, findRotationDayFault, findShiftDayFault } from '#contract/scheduling/scheduling-rules.ts'
import { shiftChangeFailures } from '#contract/shift-changes/failures.ts'
import * as contract from '#contract/shift-changes/open-shifts.ts'
import { ownRefusals } from '#contract/shift-changes/own-refusals.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { insertAssignments, lockDays, markRemoved } from '../scheduling/placement.commands.ts'
import {
  findRotationFacts,
  findShiftFacts,
  getPlacingProgram,
  listDaysOffBetween,
  lockStudents,
} from '../scheduling/placement.queries.ts'
import { place } from '../scheduling/placing.commands.ts'
import { checkEachPlacing } from '../scheduling/placing.queries.ts'
import {
  changeOpenShift,
  closeOpenShift,
  countWaiting,
  endSignup,
  insertOpenShifts,
  insertSignup,
  reopenOpenShift,
  takePlaces,
} from './open-shifts.commands.ts'
import {
  countLevels,
  findFewestPlaces,
  findOpenRow,
  findOpenShift,
  findSignup,
  listAnnouncedTo,
  listOpenShiftLines,
  listSignups,
  type OpenRow,
  type OpenShiftLine,
  pageOpenShifts,
  pageOwnOpenShifts,
  placeInLine,
  readDropTimes,
  readOpenDays,
} from './open-shifts.queries.ts'
import { askStaff } from './outcomes.service.ts'
import { blockedBy } from './own-refusals.rules.ts'
import { addEvent, insertChange } from './shift-changes.commands.ts'
import { moveWaitingListUp } from './shift-changes.jobs.ts'
import { findChangeRow, findOfferedShifts } from './shift-changes.queries.ts'
import { endWaitingList } from './waiting-list.service.ts'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

const getOpen = async (db: Db, programId: number, id: number): Promise<contract.OpenShift> => {
  const open = await findOpenShift(db, programId, id)
  if (!open) throw fail(shiftChangeFailures.no_open_shift)
  return open
}

const refuseUnknownLevels = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  const distinct = [...new Set(ids)]
  if ((await countLevels(db, programId, distinct)) < distinct.length)
    throw fail(shiftChangeFailures.no_student_level)
}

/** More places than the shift has could never be taken. */
const refuseMorePlaces = async (
  db: Db,
  programId: number,
  { siteShiftId, dates }: { siteShiftId: number; dates: readonly string[] },
  wanted: number,
): Promise<void> => {
  const { date, places } = await findFewestPlaces(db, programId, siteShiftId, dates)
  if (wanted > places)
    throw fail(
      shiftChangeFailures.above_capacity,
      { Places: places, Date: dayText(date), Wanted: wanted },
      'Places',
    )
}

/** Levels that the rotation leaves out could never sign up. */
const refuseOtherLevels = (
  { Name, StudentLevelIds }: { Name: string; StudentLevelIds: readonly number[] },
  levelIds: readonly number[],
): void => {
  if (
    StudentLevelIds.length > 0 &&
    levelIds.length > 0 &&
    !levelIds.some((id) => StudentLevelIds.includes(id))
  )
    throw fail(shiftChangeFailures.no_levels, { Name }, 'LevelIds')
}

const columns: readonly ExportColumn<OpenShiftLine>[] = [
  { title: 'Date', kind: 'date', width: 12, value: (row) => row.Date },
  { title: 'Start', width: 8, value: (row) => row.StartTime },
  { title: 'End', width: 8, value: (row) => row.EndTime },
  { title: 'Shift Code', width: 14, value: (row) => row.ShiftCode },
  { title: 'Site', width: 32, value: (row) => row.Site },
  { title: 'Rotation', width: 26, value: (row) => row.Rotation },
  { title: 'Levels', width: 20, value: (row) => row.Levels.join(', ') },
  { title: 'Places', width: 8, value: (row) => row.Places },
  { title: 'Taken', width: 8, value: (row) => row.Taken },
  { title: 'Waiting', width: 8, value: (row) => row.Waiting },
  { title: 'Status', width: 10, value: (row) => row.State },
  { title: 'Student', width: 26, value: (row) => row.Student ?? '' },
  {
    title: 'Sign-up',
    width: 12,
    value: (row) => (row.SignupState === null ? '' : row.SignupState === 'placed' ? 'Placed' : 'Waiting'),
  },
]

export const openShiftRoutes = [
  handle(contract.listOpenShifts, ({ db, params: { programId }, query }) =>
    pageOpenShifts(db, programId, query),
  ),

  handle(contract.exportOpenShifts, async ({ db, params: { programId }, query, user }) => {
    const { Format, sort, ...filters } = query
    const lines = await listOpenShiftLines(db, programId, sort, filters)
    return tableFile(Format, `Open shifts ${todayIn(user.TimeZone)}`, columns, lines)
  }),

  handle(contract.getOpenShift, async ({ db, params: { programId, openShiftId } }) => ({
    ...(await getOpen(db, programId, openShiftId)),
    Signups: await listSignups(db, programId, openShiftId),
  })),

  handle(contract.createOpenShifts, async ({ db, params: { programId }, body, user, audit }) => {
    const [rotation] = await findRotationFacts(db, programId, [body.RotationId], { isLocking: true })
    if (!rotation) throw fail(schedulingFailures.no_chosen_rotation)
    const [shift] = await findShiftFacts(db, programId, [body.SiteShiftId], { isLocking: true })
    if (!shift) throw fail(schedulingFailures.no_chosen_shift)
    await refuseUnknownLevels(db, programId, body.LevelIds)
    refuseOtherLevels(rotation, body.LevelIds)
    const dates = [...new Set(body.Dates)].toSorted()
    for (const date of dates) {
      const fault = findShiftDayFault(shift, date)?.Message ?? findRotationDayFault(rotation, date)
      if (fault !== undefined) throw fail(shiftChangeFailures.day_refused, { Reason: fault }, 'Dates')
    }
    const program = await getPlacingProgram(db, programId)
    const off =
      program.Options.DayOffRule === 'block'
        ? await listDaysOffBetween(db, programId, dates[0]!, dates.at(-1)!)
        : []
    for (const date of dates) {
      const free = off.find(({ StartDate, EndDate }) => StartDate <= date && EndDate >= date)
      if (free) throw fail(shiftChangeFailures.day_off, { Date: dayText(date), Name: free.Name }, 'Dates')
    }
    await refuseMorePlaces(db, programId, { siteShiftId: shift.Id, dates }, body.Places)
    const days = await readOpenDays(db, programId, shift.Id, dates, body.ClosesHoursBefore)
    const late = days.find(({ isOver }) => isOver)
    if (late) throw fail(shiftChangeFailures.sign_up_too_late, { Date: dayText(late.date) }, 'Dates')
    const ids = await insertOpenShifts(
      db,
      {
        programId,
        rotationId: rotation.Id,
        siteShiftId: shift.Id,
        levelIds: [...new Set(body.LevelIds)],
        places: body.Places,
        note: body.Note,
        by: user.Id,
      },
      days,
    )
    if (body.IsAnnounced && ids.length > 0) {
      const students = await listAnnouncedTo(db, programId, rotation.Id, body.LevelIds)
      const on =
        dates.length === 1 ? formatDate(dates[0]!) : `${formatDate(dates[0]!)} – ${formatDate(dates.at(-1)!)}`
      const line = `${on}, ${shift.StartTime}–${shift.EndTime}, ${shift.Site}`
      await notifyPeople(
        db,
        programId,
        students.map((accountId) => ({
          accountId,
          kind: 'schedule',
          text: `Open for sign-up: ${line}`,
          link: '/new/open-shifts',
        })),
      )
      await queueNotices(
        db,
        programId,
        students.map((accountId) => ({ accountId, label: 'SHIFT_open', key: `open:${ids[0]}`, line })),
      )
    }
    audit.detail = {
      RotationId: rotation.Id,
      SiteShiftId: shift.Id,
      Dates: dates,
      Places: body.Places,
      Ids: ids,
    }
    return { Created: ids.length, Skipped: dates.length - ids.length }
  }),

  handle(contract.updateOpenShift, async ({ db, params: { programId, openShiftId }, body, audit }) => {
    const before = await findOpenRow(db, programId, openShiftId, { isLocking: true })
    if (!before) throw fail(shiftChangeFailures.no_open_shift)
    const shown = await getOpen(db, programId, openShiftId)
    if (body.Places < before.taken)
      throw fail(shiftChangeFailures.too_few_places, { Taken: before.taken, Places: body.Places }, 'Places')
    await refuseUnknownLevels(db, programId, body.LevelIds)
    const [rotation] = await findRotationFacts(db, programId, [before.rotationId])
    if (rotation) refuseOtherLevels(rotation, body.LevelIds)
    if (body.Places > shown.Places)
      await refuseMorePlaces(
        db,
        programId,
        { siteShiftId: before.siteShiftId, dates: [before.date] },
        body.Places,
      )
    audit.detail = { Before: shown, After: body }
    await changeOpenShift(db, { programId, id: openShiftId }, body, shown.StartsAt)
    if (before.waiting > 0) await enqueue(db, moveWaitingListUp, { programId, openShiftId })
    return getOpen(db, programId, openShiftId)
  }),

  handle(contract.closeOpenShift, async ({ db, params: { programId, openShiftId }, user, audit }) => {
    const open = await getOpen(db, programId, openShiftId)
    if (!(await closeOpenShift(db, { programId, id: openShiftId }, user.Id)))
      throw fail(shiftChangeFailures.closed_before)
    await endWaitingList(db, programId, openShiftId)
    audit.detail = {
      Date: open.Date,
      Site: open.Site,
      ShiftCode: open.ShiftCode,
      Taken: open.Taken,
      Waiting: open.Waiting,
    }
    return getOpen(db, programId, openShiftId)
  }),

  handle(contract.reopenOpenShift, async ({ db, params: { programId, openShiftId }, audit }) => {
    const open = await getOpen(db, programId, openShiftId)
    if (!(await reopenOpenShift(db, { programId, id: openShiftId })))
      throw fail(shiftChangeFailures.not_closed)
    audit.detail = { Date: open.Date, Site: open.Site, ShiftCode: open.ShiftCode }
    return getOpen(db, programId, openShiftId)
  }),
]

const full = () => fail(shiftChangeFailures.full)

/** The open shift, where the student's level may sign up. */
const getOwnOpen = async (
  db: Db,
  programId: number,
  openShiftId: number,
  studentId: number,
): Promise<OpenRow> => {
  const open = await findOpenRow(db, programId, openShiftId)
  if (!open) throw fail(shiftChangeFailures.no_open_shift)
  if (open.levelIds.length > 0) {
    const { rows } = await sql<{ level: number | null }>`select student_level_id::int as level from account
      where program_id = ${programId} and id = ${studentId}`.execute(db)
    const level = rows[0]?.level
    if (level === null || level === undefined || !open.levelIds.includes(level))
      throw fail(shiftChangeFailures.no_open_shift)
  }
  return open
}

/** After the limit a drop is a request, which staff approve or decline. */
const askToDrop = async (
  db: Db,
  programId: number,
  { Id: studentId, Name: actor }: { Id: number; Name: string },
  assignmentId: number,
  reason: string,
): Promise<void> => {
  const shift = (await findOfferedShifts(db, programId, [assignmentId])).get(assignmentId)
  const id =
    shift &&
    (await insertChange(db, {
      programId,
      kind: 'drop',
      shift,
      isToAll: false,
      note: reason,
      state: 'pending',
      approval: 'staff',
    }))
  if (id === undefined) throw fail(shiftChangeFailures.offered_to_others)
  await addEvent(db, programId, id, { actor, action: 'asked', detail: reason })
  // It was made just now.
  await askStaff({ db, programId, actor, by: studentId }, (await findChangeRow(db, programId, id))!)
}

export const ownOpenShiftRoutes = [
  handle(contract.listOwnOpenShifts, async ({ db, query, user, language }) => {
    const programId = programOf(user)
    const program = await getPlacingProgram(db, programId)
    const { rows, total } = await pageOwnOpenShifts(
      db,
      { programId, studentId: user.Id, dropHours: program.Options.DropHours },
      query,
    )
    const open = rows.filter(({ IsPlaced }) => !IsPlaced)
    const refusals = await checkEachPlacing(db, {
      programId,
      program,
      requests: open.map(({ RotationId, SiteShiftId, Date: date }) => ({
        RotationId,
        SiteShiftId,
        StudentId: user.Id,
        Date: date,
      })),
    })
    const byId = new Map(open.map(({ Id }, index) => [Id, refusals[index]]))
    return {
      Items: rows.map(({ RotationId: _, SiteShiftId: __, ...row }) => {
        const refusal = byId.get(row.Id)
        return {
          ...row,
          // Others have filled the shift itself: no place is left of those that were opened.
          Taken: refusal?.Rule === 'capacity' ? Math.max(row.Taken, row.Places) : row.Taken,
          Blocked: refusal && refusal.Rule !== 'capacity' ? blockedBy(refusal.Rule, language) : null,
        }
      }),
      Total: total,
      Page: query.page,
      PageSize: query.pageSize,
    }
  }),

  handle(contract.signUpForOpenShift, async ({ db, params: { openShiftId }, body, user, audit }) => {
    const programId = programOf(user)
    const studentId = user.Id
    await lockStudents(db, programId, [studentId])
    const open = await getOwnOpen(db, programId, openShiftId, studentId)
    if (await findSignup(db, programId, openShiftId, studentId)) throw fail(shiftChangeFailures.signed_up)
    if (open.isOver) throw fail(shiftChangeFailures.sign_up_over)
    const request = {
      RotationId: open.rotationId,
      SiteShiftId: open.siteShiftId,
      StudentId: studentId,
      Date: open.date,
    }
    const placing = { programId, program: await getPlacingProgram(db, programId), requests: [request] }
    audit.subjectId = studentId
    audit.detail = { OpenShiftId: openShiftId, Shift: open.line }
    // Whoever waits was here first.
    if (open.waiting === 0 && open.taken < open.places) {
      const answer = await place(
        db,
        placing,
        async (inner, accepted) => {
          if (!(await takePlaces(inner, programId, openShiftId, 1, { isNew: true }))) return []
          const ids = await insertAssignments(inner, programId, studentId, accepted)
          await insertSignup(inner, programId, openShiftId, studentId, ids[0]!)
          return ids
        },
        { isAllOrNothing: false },
      )
      const [refused] = answer.Refused
      if (answer.Added > 0) return { IsPlaced: true, WaitingAs: null }
      if (refused && refused.Rule !== 'capacity') throw fail(ownRefusals[refused.Rule])
    }
    if (!body.IsWaiting) throw full()
    const [refused] = await checkEachPlacing(db, placing)
    if (refused && refused.Rule !== 'capacity') throw fail(ownRefusals[refused.Rule])
    if ((await findOpenRow(db, programId, openShiftId, { isLocking: true }))?.isOver !== false)
      throw fail(shiftChangeFailures.sign_up_over)
    const id = await insertSignup(db, programId, openShiftId, studentId, null)
    await countWaiting(db, programId, openShiftId, 1)
    await enqueue(db, moveWaitingListUp, { programId, openShiftId })
    return { IsPlaced: false, WaitingAs: await placeInLine(db, programId, openShiftId, id) }
  }),

  handle(contract.leaveOpenShift, async ({ db, params: { openShiftId }, body, user, audit }) => {
    const programId = programOf(user)
    await lockStudents(db, programId, [user.Id])
    const open = await findOpenRow(db, programId, openShiftId)
    const signup = open && (await findSignup(db, programId, openShiftId, user.Id))
    if (!open || !signup) throw fail(shiftChangeFailures.no_sign_up)
    audit.subjectId = user.Id
    audit.detail = { OpenShiftId: openShiftId, Shift: open.line, State: signup.state }
    if (signup.state === 'waiting' || signup.assignmentId === null) {
      await endSignup(db, programId, signup.id, 'left')
      await countWaiting(db, programId, openShiftId, -1)
      return { IsDropped: true }
    }
    const { Options } = await getPlacingProgram(db, programId)
    const { hasStarted, isLate } = await readDropTimes(db, programId, signup.assignmentId, Options.DropHours)
    if (hasStarted) throw fail(shiftChangeFailures.started_before_drop)
    if (isLate) {
      await askToDrop(db, programId, user, signup.assignmentId, body.Reason)
      return { IsDropped: false }
    }
    await lockDays(db, programId, [{ siteShiftId: open.siteShiftId, date: open.date }])
    await markRemoved(db, programId, user.Id, [signup.assignmentId])
    await endSignup(db, programId, signup.id, 'dropped')
    if (open.waiting > 0) await enqueue(db, moveWaitingListUp, { programId, openShiftId })
    return { IsDropped: true }
  }),
]
