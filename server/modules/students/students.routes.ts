import { addDays, daysBetween, weekOf } from '#contract/core/calendar.ts'
import { may } from '#contract/core/permissions.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { isMet } from '#contract/requirements/requirement-rules.ts'
import { studentFailures } from '#contract/students/failures.ts'
import * as contract from '#contract/students/students.ts'
import { shortBy } from '#contract/time/short-by.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { actionWords } from '../audit/action-words.service.ts'
import { getProgramContext } from '../programs/context.queries.ts'
import { listStandings, type StudentStanding } from '../requirements/proofs.queries.ts'
import { listVerificationRows } from '../requirements/verifications.queries.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { readHours, rotationOfStudent } from '../time/hours.queries.ts'
import { listRecords } from '../time/records.queries.ts'
import { readRunningHours } from '../time/rotation-hours.queries.ts'
import { aboutOf, changeActions, fieldsOf } from './changes.rules.ts'
import { addNote, setNoteDeleted } from './students.commands.ts'
import {
  attendanceOf,
  evaluationTrend,
  findNote,
  findStudent,
  pageChanges,
  pageEmails,
  pageEvaluations,
  pageExpired,
  pageNotes,
  pageShifts,
  pageSupervised,
  type StudentView,
  weeksOfStudent,
} from './students.queries.ts'

/** How far back attendance is counted while no rotation runs. */
const attendanceDays = 120

/** The student that is asked for, as far as the caller sees them; everybody else is not there. */
const open = async (db: Db, params: { programId: number; studentId: number }, user: User) => {
  const view: StudentView = { ...params, scope: siteScopeOf(user) }
  const student = await findStudent(db, view)
  if (!student) throw fail(peopleFailures.no_student)
  return { view, student }
}

const contextOf = async (db: Db, programId: number) => {
  const program = await getProgramContext(db, programId)
  return { today: todayIn(program.TimeZone), areMadeUp: program.Options.AbsencesAreMadeUp }
}

/** The hours of one student: in the rotation that they see themselves, and over all. */
const hoursOf = async (db: Db, { programId, studentId }: StudentView, user: User) => {
  const { today, areMadeUp } = await contextOf(db, programId)
  const read = (more: { RotationId?: number }) =>
    readHours(db, { programId, accountId: user.Id, filter: { StudentId: studentId, ...more }, areMadeUp })
  const rotation = await rotationOfStudent(db, programId, studentId, today)
  const [current] = rotation ? await read({ RotationId: rotation.id }) : []
  const [all] = await read({})
  // Without a rotation there is always one row.
  return { today, rotation: current ? rotation : undefined, current, all: all! }
}

const noteOf = async (
  db: Db,
  view: StudentView,
  user: User,
  which: { noteId: number; isDeleted: boolean },
): Promise<contract.StudentNote> => {
  const note = await findNote(db, view, user, which)
  if (!note) throw fail(studentFailures.no_note)
  return note
}

const refuseForeignNote = ({ IsDeletable, By }: contract.StudentNote): void => {
  if (!IsDeletable) throw fail(studentFailures.not_own_note, { By })
}

/** Faculty learn whether a requirement is met, and nothing of what was shown. */
const requirementFor = (user: User, { Id, Name, BlocksPlacement, Site, Standing }: StudentStanding) => ({
  Id,
  Name,
  BlocksPlacement,
  Site,
  ...(may(user, 'requirements.review')
    ? { State: Standing.State, Expires: Standing.ExpiresOn }
    : { State: isMet(Standing.State) ? ('accepted' as const) : ('missing' as const), Expires: null }),
})

export const studentRoutes = [
  handle(contract.getStudent, async ({ db, params, user }) => {
    const { view, student } = await open(db, params, user)
    if (view.scope.supervisorId !== null || !student.IsActive) return { ...student, IsOnTrack: null }
    const { today } = await contextOf(db, view.programId)
    const running = await readRunningHours(db, view.programId, today, [view.studentId])
    return {
      ...student,
      IsOnTrack: running.length > 0 ? running.every((hours) => shortBy(hours) === 0) : null,
    }
  }),

  handle(contract.getStudentHours, async ({ db, params, user }) => {
    const { view } = await open(db, params, user)
    const { today, rotation, current, all } = await hoursOf(db, view, user)
    const since = rotation?.start_date ?? addDays(today, -attendanceDays)
    const weeks = rotation
      ? Math.max(1, Math.round(daysBetween(rotation.start_date, rotation.end_date) / 7))
      : 1
    return {
      Rotation:
        rotation && current
          ? {
              Id: rotation.id,
              Name: rotation.name,
              EndDate: rotation.end_date,
              WeeklyTargetMinutes: Math.round(current.Target / weeks),
              Hours: current,
            }
          : null,
      All: all,
      Weeks: await weeksOfStudent(db, view, today),
      Attendance: { Since: since, ...(await attendanceOf(db, view, since)) },
    }
  }),

  handle(contract.listStudentShifts, async ({ db, params, query, user }) => {
    const { view } = await open(db, params, user)
    return pageShifts(db, view, query)
  }),

  handle(contract.listStudentRecords, async ({ db, params, query, user }) => {
    const { view } = await open(db, params, user)
    const { Items, Total, Page, PageSize } = await listRecords(
      db,
      { programId: view.programId, scope: view.scope, accountId: user.Id },
      { StudentId: view.studentId },
      { ...query, sort: '-Date' },
    )
    return { Items, Total, Page, PageSize }
  }),

  handle(contract.listStudentEvaluations, async ({ db, params, query, user }) => {
    const { view } = await open(db, params, user)
    const { today } = await contextOf(db, view.programId)
    return {
      ...(await pageEvaluations(db, view, query, today)),
      ...(await evaluationTrend(db, view, today)),
    }
  }),

  handle(contract.listStudentRequirements, async ({ db, params, user }) => {
    const { view } = await open(db, params, user)
    const { today } = await contextOf(db, view.programId)
    const verified = (type: number) =>
      listVerificationRows(db, {
        programId: view.programId,
        type,
        today,
        StudentId: view.studentId,
        sort: 'State',
      })
    return {
      Requirements: (await listStandings(db, view.programId, view.studentId, today)).map((each) =>
        requirementFor(user, each),
      ),
      BackgroundChecks: await verified(1),
      Immunizations: await verified(2),
    }
  }),

  handle(contract.listStudentNotes, async ({ db, params, query, user }) => {
    const { view } = await open(db, params, user)
    return pageNotes(db, view, user, query)
  }),

  handle(contract.addStudentNote, async ({ db, params, body, user, audit }) => {
    const { view } = await open(db, params, user)
    const id = await addNote(db, view, user.Id, body)
    audit.subjectId = view.studentId
    audit.detail = { NoteId: id, Text: body.Text }
    return noteOf(db, view, user, { noteId: id, isDeleted: false })
  }),

  handle(contract.deleteStudentNote, async ({ db, params, user, audit }) => {
    const { view } = await open(db, params, user)
    const note = await noteOf(db, view, user, { noteId: params.noteId, isDeleted: false })
    refuseForeignNote(note)
    audit.subjectId = view.studentId
    audit.detail = { NoteId: note.Id, Text: note.Text }
    await setNoteDeleted(db, { programId: view.programId, id: note.Id }, true)
  }),

  handle(contract.restoreStudentNote, async ({ db, params, user, audit }) => {
    const { view } = await open(db, params, user)
    const note = await noteOf(db, view, user, { noteId: params.noteId, isDeleted: true })
    refuseForeignNote(note)
    audit.subjectId = view.studentId
    audit.detail = { NoteId: note.Id }
    await setNoteDeleted(db, { programId: view.programId, id: note.Id }, false)
    return note
  }),

  handle(contract.listStudentEmails, async ({ db, params, query, user }) => {
    const { view } = await open(db, params, user)
    return pageEmails(db, view, query)
  }),

  handle(contract.listStudentChanges, async ({ db, params, query, user }) => {
    const { view } = await open(db, params, user)
    const { Items, ...page } = await pageChanges(db, view, changeActions, query)
    return {
      ...page,
      Items: Items.map(({ Id, At, By, action, detail }) => ({
        Id,
        At: new Date(At).toISOString(),
        By,
        What: [actionWords(action, detail), aboutOf(detail)].filter(Boolean).join(': '),
        Fields: fieldsOf(detail),
      })),
    }
  }),

  handle(contract.listExpiredRequirements, async ({ db, params: { programId }, query }) => {
    const { today } = await contextOf(db, programId)
    return pageExpired(db, programId, today, query)
  }),

  handle(contract.listSupervisedStudents, async ({ db, params: { programId }, query, user }) => {
    const { today } = await contextOf(db, programId)
    return pageSupervised(db, programId, user.Id, { ...query, today, weekStart: weekOf(today) })
  }),
]
