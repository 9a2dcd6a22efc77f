import { competencyFailures } from '#contract/competencies/failures.ts'
import { isClean } from '#contract/competencies/log-rules.ts'
import * as contract from '#contract/competencies/log-verification.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, recordColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { refuseChanged, refuseUnseen } from './log-decisions.rules.ts'
import { refuseLines, tidyLine } from './log-lines.rules.ts'
import {
  correctCount,
  giveBack,
  keepOldValues,
  reopenEntry,
  returnEntry,
  takeOver,
  unverify,
  updateLine,
  verify,
} from './procedure-logs.commands.ts'
import {
  countWaitingFor,
  findEntry,
  type LockedEntry,
  listChanges,
  listEntries,
  listWaiting,
  lockEntries,
  streamEntries,
} from './procedure-logs.queries.ts'

/** Supervisors decide about what names them, staff about everything. */
const decidable = (user: User) => ({ supervisorId: user.AccessLevel >= Level.Faculty ? null : user.Id })

const lockOne = async (db: Db, programId: number, user: User, logId: number): Promise<LockedEntry> => {
  const [entry] = await lockEntries(db, programId, decidable(user), [logId])
  if (!entry) throw fail(competencyFailures.no_entry)
  return entry
}

/** An entry that was found before in this transaction, which holds its lock. */
const readAgain = async (db: Db, programId: number, logId: number): Promise<contract.LogEntry> =>
  // Only the student deletes it, who waits for the lock.
  (await findEntry(db, programId, logId))!

const stateNames: Readonly<Record<contract.LogEntry['State'], string>> = {
  submitted: 'Waiting',
  verified: 'Verified',
  returned: 'Returned',
}
const patientNames: Readonly<Record<contract.LogEntry['Patient'], string>> = {
  adult: 'Adult',
  pediatric: 'Pediatric',
  geriatric: 'Geriatric',
}

const exportColumns: readonly ExportColumn<contract.LogEntry>[] = [
  { title: 'Date', kind: 'date', value: (row) => row.Date },
  { title: 'Student', width: 28, value: (row) => row.Student },
  { title: 'Major study', width: 26, value: (row) => row.MajorStudy },
  { title: 'Procedure', width: 40, value: (row) => row.Procedure },
  { title: 'Count', kind: 'number', value: (row) => row.Count },
  { title: 'Participation', width: 16, value: (row) => row.Level },
  { title: 'Patient', value: (row) => patientNames[row.Patient] },
  { title: 'Repeats', kind: 'number', value: (row) => row.Repeats },
  { title: 'Reason for repeats', width: 28, value: (row) => row.RepeatReason },
  { title: 'Radiographer present', width: 24, value: (row) => row.Radiographer },
  { title: 'Pathology', width: 24, value: (row) => row.Pathology ?? row.OtherPathology },
  { title: 'Site', width: 32, value: (row) => row.Site },
  { title: 'Shift', value: (row) => (row.HasShift ? 'Yes' : 'No shift') },
  { title: 'Supervisor', width: 24, value: (row) => row.Supervisor },
  { title: 'Status', value: (row) => stateNames[row.State] },
  { title: 'Decided by', width: 24, value: (row) => row.DecidedBy },
  { title: 'Return reason', width: 32, value: (row) => row.ReturnReason },
  { title: 'Note', width: 40, value: (row) => row.Note },
]

export const logVerificationRoutes = [
  handle(contract.listWaitingDays, ({ db, params: { programId }, user }) =>
    // An inbox link shows what names its person.
    listWaiting(db, programId, user.Id, user.link ? null : siteScopeOf(user)),
  ),

  handle(contract.countWaiting, ({ db, params: { programId }, user }) =>
    countWaitingFor(db, programId, user.Id),
  ),

  handle(
    contract.takeOverDay,
    async ({ db, params: { programId }, body, user, audit, services, afterCommit }) => {
      const view = { programId, accountId: user.Id, scope: siteScopeOf(user) }
      const Entries = await (body.IsGivenBack ? giveBack : takeOver)(db, view, body)
      if (Entries === 0) throw fail(competencyFailures.nothing_waits)
      audit.subjectId = body.StudentId
      audit.detail = { ...body, Entries }
      afterCommit(() => services.live.publishLogs(programId))
      return { Entries }
    },
  ),

  handle(
    contract.verifyDays,
    async ({ db, params: { programId }, body, user, audit, services, afterCommit }) => {
      const seen = new Map(body.Entries.map(({ Id, Revision }) => [Id, Revision]))
      const entries = await lockEntries(db, programId, decidable(user), [...seen.keys()])
      if (entries.length < seen.size) throw fail(competencyFailures.no_such_entry)
      if (user.link && new Set(entries.map(({ studentId, date }) => `${studentId} ${date}`)).size > 1)
        throw fail(competencyFailures.one_day)
      for (const entry of entries) {
        // It was found by this id.
        refuseUnseen(entry, seen.get(entry.id)!)
        if (!isClean({ State: entry.state, Repeats: entry.repeats }))
          throw fail(competencyFailures.has_repeats, { Procedure: entry.procedure })
      }
      await verify(db, programId, [...seen.keys()], user.Id)
      audit.subjectIds = entries.map(({ studentId }) => studentId)
      audit.detail = { Entries: [...seen.keys()].slice(0, 200), Verified: entries.length }
      afterCommit(() => services.live.publishLogs(programId))
      return { Verified: entries.length }
    },
  ),

  handle(
    contract.undoVerifications,
    async ({ db, params: { programId }, body, user, audit, services, afterCommit }) => {
      const seen = new Map(body.Entries.map(({ Id, Revision }) => [Id, Revision]))
      const entries = await lockEntries(db, programId, decidable(user), [...seen.keys()])
      if (entries.length < seen.size) throw fail(competencyFailures.no_such_entry)
      for (const entry of entries) refuseChanged(entry, seen.get(entry.id)!)
      const undone = await unverify(db, programId, [...seen.keys()], user.Id)
      if (undone.length < seen.size) throw fail(competencyFailures.undo_too_late)
      audit.subjectIds = entries.map(({ studentId }) => studentId)
      audit.detail = { Entries: undone.slice(0, 200), Undone: undone.length }
      afterCommit(() => services.live.publishLogs(programId))
      return { Undone: undone.length }
    },
  ),

  handle(contract.verifyEntry, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, logId } = params
    const entry = await lockOne(db, programId, user, logId)
    refuseUnseen(entry, body.Revision)
    const radiographer = body.Radiographer || entry.radiographer
    if (entry.repeats > 0 && radiographer === '')
      throw fail(competencyFailures.no_radiographer_to_verify, 'Radiographer')
    if (body.Count !== entry.count)
      await keepOldValues(db, { programId, logId, by: user.Id, reason: 'Count corrected' })
    await correctCount(db, { programId, id: logId }, { count: body.Count, radiographer })
    await verify(db, programId, [logId], user.Id)
    audit.subjectId = entry.studentId
    audit.detail = {
      Before: entry.count,
      After: body.Count,
      ...(entry.repeats > 0 && { Radiographer: radiographer }),
    }
    afterCommit(() => services.live.publishLogs(programId))
    return readAgain(db, programId, logId)
  }),

  handle(contract.returnEntry, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, logId } = params
    const entry = await lockOne(db, programId, user, logId)
    refuseUnseen(entry, body.Revision)
    await returnEntry(db, { programId, id: logId }, { reason: body.Reason, by: user.Id })
    const line = `${formatDate(entry.date)}, ${entry.procedure}: ${body.Reason}`
    await notifyPeople(db, programId, [
      {
        accountId: entry.studentId,
        kind: 'procedure_returned',
        text: `${user.Name} returned a logged procedure: ${line}`,
        link: '/new/competencies/history',
      },
    ])
    await queueNotices(db, programId, [
      { accountId: entry.studentId, label: 'PROCEDURES_returned', key: `log:${logId}`, line },
    ])
    audit.subjectId = entry.studentId
    audit.detail = { Procedure: entry.procedure, Reason: body.Reason }
    afterCommit(() => services.live.publishLogs(programId))
    return readAgain(db, programId, logId)
  }),

  handle(contract.correctEntry, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, logId } = params
    const { Revision, Reason, ...given } = body
    const entry = await lockOne(db, programId, user, logId)
    refuseChanged(entry, Revision)
    const line = tidyLine(given)
    await refuseLines(
      db,
      { programId, studentId: entry.studentId, keeps: entry.skillId },
      [line],
      (_index, field) => field,
    )
    if (entry.state === 'verified' && line.Repeats > 0 && line.Radiographer === '')
      throw fail(competencyFailures.no_radiographer_to_correct, 'Radiographer')
    await keepOldValues(db, { programId, logId, by: user.Id, reason: Reason })
    const before = await readAgain(db, programId, logId)
    await updateLine(db, { programId, logId, by: user.Id }, line)
    audit.subjectId = entry.studentId
    audit.detail = { Before: before, After: line, Reason }
    afterCommit(() => services.live.publishLogs(programId))
    return readAgain(db, programId, logId)
  }),

  handle(contract.reopenEntry, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, logId } = params
    const entry = await lockOne(db, programId, user, logId)
    refuseChanged(entry, body.Revision)
    if (entry.state !== 'verified') throw fail(competencyFailures.not_verified)
    await keepOldValues(db, { programId, logId, by: user.Id, reason: body.Reason })
    await reopenEntry(db, { programId, id: logId }, user.Id)
    audit.subjectId = entry.studentId
    audit.detail = { Procedure: entry.procedure, DecidedBy: entry.decidedBy, Reason: body.Reason }
    afterCommit(() => services.live.publishLogs(programId))
    return readAgain(db, programId, logId)
  }),

  handle(contract.listProcedureLogs, ({ db, params: { programId }, query }) =>
    listEntries(db, programId, query),
  ),

  handle(contract.exportProcedureLogs, async ({ db, params: { programId }, query }) => {
    const { Format, ...filter } = query
    const columns = [...exportColumns, ...recordColumns(await readStudentNumbers(db, programId))]
    return tableFile(Format, 'Procedure log', columns, streamEntries(db, programId, filter))
  }),

  handle(contract.getProcedureLog, async ({ db, params: { programId, logId } }) => {
    const entry = await findEntry(db, programId, logId)
    if (!entry) throw fail(competencyFailures.no_entry)
    return { ...entry, History: await listChanges(db, programId, logId) }
  }),
]
