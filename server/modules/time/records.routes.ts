import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { inLanguage, type Sentence, sentence } from '#contract/language/texts.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import * as approvals from '#contract/time/approvals.ts'
import { timeFailures } from '#contract/time/failures.ts'
import { listMissedTimeRecords, mailMissed } from '#contract/time/missed-shifts.ts'
import { minutesBetween } from '#contract/time/rules-of-hours.ts'
import * as contract from '#contract/time/time-records.ts'
import { leftOut } from '#contract/time/wording.ts'
import type { User } from '#server/core/auth/session.ts'
import { endedPeople } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { recordColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { htmlOfTyped } from '#server/core/mail/email-text.ts'
import { queueTemplatedEmails, subjectOf } from '#server/core/mail/template-emails.ts'
import { refuseEndedPerson } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import {
  decideChange,
  decideChangesOf,
  isSupervisor,
  noteDecidedWith,
  optionsOf,
  refuseSupervisor,
  reopenChangesOf,
} from './change-decisions.commands.ts'
import { tellOfChange } from './change-notices.commands.ts'
import { addRecord, deleteRecord, moveRecord, notify, restoreRecord } from './changes.commands.ts'
import {
  type ChangeableRecord,
  findOtherHalf,
  getSiteZone,
  lockRecord,
  readDay,
  refuseBadPair,
  refuseOverlap,
  refuseOverlapOf,
  spanAt,
} from './changes.queries.ts'
import { approve, type LeftOut, reject, undoDecisions } from './decisions.commands.ts'
import { listDecided, listDecisions, listFormerDecisions, previewApproval } from './decisions.queries.ts'
import { missedValues, unmatchedValues } from './emails.rules.ts'
import { refuseAfterLastDay } from './last-day.queries.ts'
import { lockStudentTime } from './lock.queries.ts'
import { listMissed, listMissedOfStudents } from './missed.queries.ts'
import { refuseOverlapsOfRestored, refuseSamePunch } from './pairs.queries.ts'
import { findShift, longestPair } from './punch.rules.ts'
import {
  changeColumns,
  editColumns,
  exportColumns,
  groupOf,
  screenColumns,
  whenText,
} from './record-file.rules.ts'
import { takeUnmatched } from './records.commands.ts'
import {
  countRecords,
  findRecord,
  isOfEdits,
  listHistory,
  listRecords,
  listRecordsOf,
  listStudentsOf,
  type RecordView,
  streamEdits,
  streamRecords,
} from './records.queries.ts'
import { listPendingShifts } from './shifts.queries.ts'
import { partsDecidedAt, partsOfRecords, tellRecords } from './told-records.queries.ts'
import { wallClock } from './zone.rules.ts'

const viewOf = (programId: number, user: User): RecordView => ({
  programId,
  scope: siteScopeOf(user),
  accountId: user.Id,
})

/** The record for a change by staff, after the time of its student was locked. */
const lockForEdit = async (
  db: Db,
  view: RecordView,
  recordId: number,
  user: User,
  { deleted = false } = {},
): Promise<ChangeableRecord> => {
  const record = await lockRecord(db, view.programId, recordId, { scope: view.scope, deleted })
  if (!record) throw fail(coreFailures.no_record)
  refuseSupervisor(record, user)
  return record
}

/** Students ask for absences, so they are told; of hours they see it in their records. */
const absenceNoticeOf = ({
  studentId,
  dates: [first = '', ...more],
}: {
  studentId: number
  dates: string[]
}) => ({
  accountId: studentId,
  kind: 'time_change_decided',
  text:
    more.length === 0
      ? `Your absence on ${formatDate(first)} was approved.`
      : `${more.length + 1} of your absences were approved.`,
})

/** Why a record was left out, as whoever approves reads it. */
const leftOutSentence = (
  reason: approvals.LeftOutReason,
  record: contract.TimeRecord,
  other: contract.TimeRecord | undefined,
): Sentence => {
  const Record = whenText(record)
  switch (reason) {
    case 'unmatched':
      return sentence(leftOut.unmatched, { Record, IsIn: record.Type === 'in' })
    case 'overlaps':
      return other
        ? sentence(leftOut.overlaps, { Record, Other: whenText(other) })
        : sentence(leftOut.overlaps_other, { Record })
    case 'decided':
      return sentence(leftOut.decided, { Record, IsApproved: record.Status === 'approved' })
    default:
      return sentence(leftOut[reason], { Record })
  }
}

/** The records that an approval left out, with the sentence that says why. */
const readLeftOut = async (db: Db, view: RecordView, told: readonly LeftOut[]) => {
  if (told.length === 0) return []
  const ids = told.flatMap(({ id, otherId }) => (otherId === null ? [id] : [id, otherId]))
  const records = new Map((await listRecordsOf(db, view.programId, ids)).map((each) => [each.Id, each]))
  return told.flatMap(({ id, reason, otherId }) => {
    const record = records.get(id)
    const other = otherId === null ? undefined : records.get(otherId)
    if (!record) return []
    return [{ Id: id, Student: record.Student, Reason: reason, why: leftOutSentence(reason, record, other) }]
  })
}

const isSameMinute = (one: number, other: number | null): boolean =>
  other !== null && Math.floor(one / 60_000) === Math.floor(other / 60_000)

export const recordRoutes = [
  handle(contract.listTimeRecords, ({ db, params, query, user }) => {
    const { page, pageSize, sort, cursor, ...filter } = query
    return listRecords(db, viewOf(params.programId, user), filter, { page, pageSize, sort, cursor })
  }),

  handle(contract.countTimeRecords, ({ db, params, query, user }) =>
    countRecords(db, viewOf(params.programId, user), query),
  ),

  handle(contract.listPendingShifts, ({ db, params, query, user }) => {
    const { page, pageSize, ...filter } = query
    return listPendingShifts(db, viewOf(params.programId, user), filter, { page, pageSize })
  }),

  handle(contract.exportTimeRecords, async ({ db, params, query, user }) => {
    const { Format, Columns, ...filter } = query
    const { time_zone } = await db
      .selectFrom('program')
      .select('time_zone')
      .where('id', '=', params.programId)
      .executeTakeFirstOrThrow()
    const view = viewOf(params.programId, user)
    const numberOf = await readStudentNumbers(db, params.programId)
    if (isOfEdits(filter))
      return tableFile(
        Format,
        'Edited time records',
        [...changeColumns(time_zone), ...recordColumns(numberOf)],
        streamEdits(db, view, filter),
      )
    return tableFile(
      Format,
      'Time records',
      [
        ...(Columns === 'screen' ? screenColumns : [...exportColumns, ...editColumns(time_zone)]),
        ...recordColumns(numberOf),
      ],
      streamRecords(db, view, filter),
      groupOf,
    )
  }),

  handle(contract.getTimeRecord, async ({ db, params: { programId, recordId }, user }) => {
    const record = await findRecord(db, viewOf(programId, user), recordId)
    if (!record) throw fail(coreFailures.no_record)
    return {
      ...record,
      History: await listHistory(db, programId, recordId),
      Decisions: await listFormerDecisions(db, programId, recordId),
    }
  }),

  handle(approvals.approveTimeRecords, async ({ db, params, body, user, language, audit }) => {
    const view = viewOf(params.programId, user)
    const { Ids, TimeChanges } = body
    const decided = Ids && TimeChanges ? await decideChangesOf(db, view, user, { Ids, TimeChanges }) : []
    const { absences, leftOut: left, ...done } = await approve(db, view, body)
    await notify(db, params.programId, absences.map(absenceNoticeOf))
    const told = await readLeftOut(db, view, left.told)
    const held = new Set(decided.flatMap(({ id, partnerId }) => [id, partnerId]))
    const undone = told.find(({ Id, Reason }) => held.has(Id) && Reason !== 'decided')
    if (undone) throw fail(timeFailures.left_out, { Reason: undone.why })
    if (done.DecidedAt !== null)
      await noteDecidedWith(
        db,
        params.programId,
        decided.map(({ id }) => id),
        done.DecidedAt,
      )
    audit.detail = {
      TimeChanges,
      ...(body.Filter
        ? { Filter: body.Filter, IncludeCareful: body.IncludeCareful }
        : { Chosen: body.Ids?.length }),
      ...done,
      LeftOut: left.total,
    }
    audit.parts = await partsDecidedAt(db, view, done.DecidedAt)
    return {
      ...done,
      LeftOut: told.map(({ why, ...record }) => ({ ...record, Message: inLanguage(why, language) })),
      LeftOutCount: left.total,
      LeftOutReasons: left.reasons,
    }
  }),

  handle(approvals.listDecisions, ({ db, params, user }) =>
    listDecisions(db, viewOf(params.programId, user)),
  ),

  handle(approvals.listDecided, async ({ db, params: { programId }, query, user }) => {
    const { page, pageSize, DecidedAt } = query
    const { ids, total } = await listDecided(db, viewOf(programId, user), { DecidedAt }, { page, pageSize })
    const records = new Map((await listRecordsOf(db, programId, ids)).map((each) => [each.Id, each]))
    return { Items: ids.flatMap((id) => records.get(id) ?? []), Total: total, Page: page, PageSize: pageSize }
  }),

  handle(approvals.previewApproval, ({ db, params, query, user }) =>
    previewApproval(db, viewOf(params.programId, user), query),
  ),

  handle(approvals.undoDecisions, async ({ db, params, body, user, audit }) => {
    const view = viewOf(params.programId, user)
    const { ids } = await listDecided(db, view, body)
    audit.parts = await partsOfRecords(db, params.programId, ids)
    const Undone = await undoDecisions(db, view, body)
    if (Undone > 0) await reopenChangesOf(db, view, user, body.DecidedAt)
    audit.detail = { DecidedAt: body.DecidedAt, Chosen: body.Ids?.length, Undone }
    return { Undone }
  }),

  handle(approvals.rejectTimeRecords, async ({ db, params: { programId }, body, user, audit }) => {
    const done = await reject(db, viewOf(programId, user), body, !isSupervisor(user))
    await notify(
      db,
      programId,
      done.map((each) => ({
        accountId: each.StudentId,
        kind: 'time_rejected',
        text: `Your record of ${formatDate(each.Date)} was rejected: ${body.Reason}`,
      })),
    )
    audit.detail = {
      Rejected: done.length,
      Reason: body.Reason.slice(0, 200),
    }
    audit.parts = await partsOfRecords(
      db,
      programId,
      done.map(({ Id }) => Id),
    )
    return { Rejected: done.length, DecidedAt: done[0]?.DecidedAt ?? null }
  }),

  handle(approvals.decideTimeChange, async ({ db, params: { programId, recordId }, body, user, audit }) => {
    const view = viewOf(programId, user)
    const [Before] = await tellRecords(db, programId, [recordId])
    audit.subjectId = await decideChange(db, view, user, { id: recordId, ...body })
    const [After] = await tellRecords(db, programId, [recordId])
    audit.detail = { ...body, Records: [Before], Before, After }
    // It is locked since it was read above.
    return (await findRecord(db, view, recordId))!
  }),

  handle(contract.editTimeRecord, async ({ db, params: { programId, recordId }, body, user, audit }) => {
    const view = viewOf(programId, user)
    const record = await lockForEdit(db, view, recordId, user)
    if (
      contract.isTakenBack({
        Status: record.status,
        Reasons: record.reasons,
        TimeChangeRequest:
          record.changeStatus === null ? null : { IsRemoval: record.isRemoval, Status: record.changeStatus },
      })
    )
      throw fail(timeFailures.taken_back)
    const [Before] = await tellRecords(db, programId, [recordId])
    const site =
      body.SiteId === undefined ? undefined : await getSiteZone(db, programId, body.SiteId, view.scope)
    const zone = site?.zone ?? record.zone
    const isPunch = record.kind === 'in' || record.kind === 'out'
    const span = await spanAt(db, programId, isPunch ? { ...body, EndTime: undefined } : body, zone)
    const endsAt =
      isPunch || body.EndTime
        ? span.endsAt
        : record.endsAt === null
          ? null
          : span.at + (record.endsAt - record.at)
    if (isPunch) {
      if (span.at > Date.now() + 60_000) throw fail(timeFailures.time_ahead, 'Time')
      refuseBadPair(record.kind as 'in', span.at, record.partnerAt, longestPair(record.shift))
    }
    await refuseOverlapOf(db, programId, record, span.at, endsAt)
    const { PunchToleranceMinutes } = await optionsOf(db, programId)
    const isGiven = isSameMinute(span.at, record.changeTo)
    const isTimeKept = !isGiven && isSameMinute(span.at, record.at)
    await moveRecord(db, programId, record, {
      at: span.at,
      endsAt,
      site,
      by: user.Id,
      reason: body.Reason,
      toleranceMinutes: PunchToleranceMinutes,
      changeStatus: isGiven ? 'accepted' : isTimeKept ? 'asked' : 'refused',
    })
    const { changeTo } = record
    if (record.changeStatus === 'asked' && changeTo !== null && !isTimeKept)
      await tellOfChange(db, programId, { ...record, changeTo }, { Accept: isGiven, Reason: body.Reason })
    audit.subjectId = record.studentId
    const [After] = await tellRecords(db, programId, [recordId])
    audit.detail = { Records: [Before], Before, After, Reason: body.Reason.slice(0, 200) }
    // It is locked since it was read above.
    return (await findRecord(db, view, recordId))!
  }),

  handle(contract.addTimeRecord, async ({ db, params: { programId }, body, user, audit }) => {
    const view = viewOf(programId, user)
    if (user.link && body.PartnerId === undefined) throw fail(timeFailures.not_by_link)
    const student = await db
      .selectFrom('account as u')
      .innerJoin('program as p', 'p.id', 'u.program_id')
      .select(['u.id', 'p.time_zone'])
      .where('u.program_id', '=', programId)
      .where('u.id', '=', body.StudentId)
      .where('u.access_level', '=', Level.Student)
      .where(sql<boolean>`u.id not in (${endedPeople(programId)})`)
      .executeTakeFirst()
    if (!student) throw fail(peopleFailures.no_student)
    await lockStudentTime(db, student.id)
    const isPunch = body.Kind === 'in' || body.Kind === 'out'
    const { shifts, rotationId } = await readDay(db, programId, body.StudentId, body.Date, body.SiteId, {
      withNightBefore: body.Kind === 'out',
    })
    const partnerSite = body.PartnerId ? (await findRecord(db, view, body.PartnerId))?.SiteId : undefined
    if (body.PartnerId && partnerSite === undefined) throw fail(timeFailures.no_other_half)
    const siteId = body.SiteId ?? partnerSite ?? shifts[0]?.siteId
    if (siteId === undefined && (body.Kind !== 'absence' || isSupervisor(user))) {
      throw fail(timeFailures.no_shift_of_student, 'SiteId')
    }
    const site =
      siteId === undefined || siteId === null
        ? undefined
        : await getSiteZone(db, programId, siteId, view.scope)
    if (isSupervisor(user) && site) {
      const { forbid_cs_logclock_editing } = await db
        .selectFrom('site')
        .select('forbid_cs_logclock_editing')
        .where('program_id', '=', programId)
        .where('id', '=', site.id)
        .executeTakeFirstOrThrow()
      if (forbid_cs_logclock_editing) {
        throw fail(timeFailures.site_leaves_additions, { Name: site.name })
      }
    }
    if (body.Kind === 'makeup') await refuseAfterLastDay(db, programId, body.StudentId, body.Date)
    const zone = site?.zone ?? student.time_zone
    const span = await spanAt(db, programId, isPunch ? { ...body, EndTime: undefined } : body, zone)
    let partner: Awaited<ReturnType<typeof findOtherHalf>>
    if (isPunch) {
      if (span.at > Date.now() + 60_000) throw fail(timeFailures.time_ahead, 'Time')
      partner = await findOtherHalf(db, programId, body.StudentId, body.Kind as 'in', span.at, body.PartnerId)
      if (body.PartnerId && !partner) {
        throw fail(timeFailures.half_added)
      }
      if (partner) refuseBadPair(body.Kind as 'in', span.at, partner.at, partner.longest)
    }
    const shift = isPunch
      ? findShift(shifts, site?.id ?? 0, span.at)
      : shifts.find((each) => each.siteId === site?.id)
    const endsAt = span.endsAt ?? (!isPunch && shift && shift.endsAt > span.at ? shift.endsAt : null)
    const [from, to] = partner
      ? [Math.min(span.at, partner.at), Math.max(span.at, partner.at)]
      : [span.at, endsAt ?? span.at + 1]
    if (isPunch)
      await refuseSamePunch(db, programId, {
        studentId: body.StudentId,
        kind: body.Kind as 'in',
        at: span.at,
      })
    await refuseOverlap(db, programId, body.StudentId, from, to, partner ? [partner.id] : [], {
      withRunning: body.Kind !== 'absence',
    })
    const id = await addRecord(db, programId, {
      studentId: body.StudentId,
      kind: body.Kind,
      siteId: site?.id ?? null,
      at: span.at,
      endsAt,
      date: wallClock(span.at, zone).date,
      minutes: isPunch
        ? body.Kind === 'out' && partner
          ? minutesBetween(partner.at, span.at)
          : 0
        : endsAt === null
          ? 0
          : minutesBetween(span.at, endsAt),
      minutesOfPair: partner && minutesBetween(from, to),
      shift: shift ?? null,
      rotationId,
      source: 'staff',
      reasons: [{ Code: 'by_staff' }],
      reason: body.Reason,
      partnerId: partner?.id ?? null,
      by: user.Id,
    })
    audit.subjectId = body.StudentId
    audit.detail = {
      Records: await tellRecords(db, programId, partner ? [id, partner.id] : [id]),
      Reason: body.Reason,
    }
    // It was added above, in this transaction.
    return (await findRecord(db, { ...view, scope: { supervisorId: null } }, id))!
  }),

  handle(contract.deleteTimeRecord, async ({ db, params: { programId, recordId }, user, audit }) => {
    const record = await lockForEdit(db, viewOf(programId, user), recordId, user)
    await deleteRecord(db, { programId, id: record.id }, user.Id)
    audit.subjectId = record.studentId
    audit.detail = { Records: await tellRecords(db, programId, [recordId]) }
  }),

  handle(contract.restoreTimeRecord, async ({ db, params: { programId, recordId }, user, audit }) => {
    const view = viewOf(programId, user)
    const record = await lockForEdit(db, view, recordId, user, { deleted: true })
    await refuseEndedPerson(db, programId, { table: 'time_record', ids: [recordId], by: 'student_id' })
    await restoreRecord(db, { programId, id: recordId }, user.Id)
    await refuseOverlapsOfRestored(db, programId, [recordId])
    audit.subjectId = record.studentId
    audit.detail = { Records: await tellRecords(db, programId, [recordId]) }
    // It is locked since it was read above.
    return (await findRecord(db, view, recordId))!
  }),

  handle(approvals.mailUnmatched, async ({ db, params: { programId }, body, user, services, audit }) => {
    const students = await takeUnmatched(db, viewOf(programId, user), body.Filter ?? {})
    const reachable = students.filter(({ Email }) => Email !== '')
    await queueTemplatedEmails(
      db,
      reachable.map((student) => ({
        programId,
        accountId: student.StudentId,
        label: 'TIME_unmatched',
        recipient: student.Email,
        values: unmatchedValues(student, services.publicUrl() + services.config.appRoot),
      })),
      { isAsked: true },
    )
    const answer = {
      Mailed: reachable.length,
      Records: reachable.reduce((sum, { Records }) => sum + Records.length, 0),
      WithoutAddress: students.length - reachable.length,
    }
    audit.detail = answer
    return answer
  }),

  handle(approvals.getReminderEmail, async ({ db, params: { programId }, query: { Kind } }) => ({
    Subject: await subjectOf(db, Kind === 'missed' ? 'TIME_missed' : 'TIME_unmatched', programId),
  })),

  handle(approvals.writeAboutRecords, async ({ db, params: { programId }, body, user, audit }) => {
    const students = await listStudentsOf(db, viewOf(programId, user), body.Ids)
    const reachable = students.filter(({ Email }) => Email !== '')
    await queueTemplatedEmails(
      db,
      reachable.map((student) => ({
        programId,
        accountId: student.StudentId,
        label: 'TIME_message',
        recipient: student.Email,
        values: {
          'message.subject': body.Subject,
          'message.text': htmlOfTyped(body.Text),
          'writer.name': user.Name,
        },
      })),
      { isAsked: true },
    )
    audit.detail = {
      Subject: body.Subject,
      StudentIds: reachable.map(({ StudentId }) => StudentId).slice(0, 200),
    }
    return { Mailed: reachable.length, WithoutAddress: students.length - reachable.length }
  }),

  handle(listMissedTimeRecords, ({ db, params, query, user }) => {
    const { page, pageSize, ...filter } = query
    return listMissed(db, viewOf(params.programId, user), filter, { page, pageSize })
  }),

  handle(mailMissed, async ({ db, params: { programId }, body, user, services }) => {
    const students = await listMissedOfStudents(db, viewOf(programId, user), body.AssignmentIds)
    const reachable = students.filter(({ Email }) => Email !== '')
    await queueTemplatedEmails(
      db,
      reachable.map((student) => ({
        programId,
        accountId: student.StudentId,
        label: 'TIME_missed',
        recipient: student.Email,
        values: missedValues(student, services.publicUrl() + services.config.appRoot),
      })),
      { isAsked: true },
    )
    return { Mailed: reachable.length, WithoutAddress: students.length - reachable.length }
  }),
]
