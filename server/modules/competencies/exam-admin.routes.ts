import * as contract from '#contract/competencies/exam-admin.ts'
import type { AttemptState, RecheckKind } from '#contract/competencies/exam-rules.ts'
import type { ExamDetail } from '#contract/competencies/exams.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, recordColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { endProofs } from './exam-access.commands.ts'
import {
  approveSimulation,
  cancelWaiting,
  followRecheck,
  insertRechecks,
  reinstateAttempt,
  saveRemediation,
} from './exam-admin.commands.ts'
import { listAll, listAllRechecks, listStudentsOf, streamExams } from './exam-admin.queries.ts'
import { endAttempt } from './exams.commands.ts'
import { type LockedAttempt, lockAttempt, readDetail } from './exams.queries.ts'

const stateNames: Readonly<Record<AttemptState, string>> = {
  open: 'Not graded',
  passed: 'Approved',
  failed: 'Not approved',
  withdrawn: 'Withdrawn',
  suspended: 'Suspended',
  voided: 'Voided',
}
const kindNames: Readonly<Record<RecheckKind, string>> = {
  continued: 'Continued competency',
  challenge: 'Challenge',
  terminal: 'Terminal competency',
}
const patientNames: Readonly<Record<contract.ExamRow['Patient'], string>> = {
  adult: 'Adult',
  pediatric: 'Pediatric',
  geriatric: 'Geriatric',
}

const exportColumns: readonly ExportColumn<contract.ExamRow>[] = [
  { title: 'Date', kind: 'date', value: (row) => row.Date },
  { title: 'Student', width: 28, value: (row) => row.Student },
  { title: 'Major study', width: 26, value: (row) => row.MajorStudy },
  { title: 'Procedure', width: 40, value: (row) => row.Procedure },
  { title: 'Attempt', kind: 'number', value: (row) => row.Number },
  { title: 'Kind', width: 20, value: (row) => (row.RecheckKind ? kindNames[row.RecheckKind] : 'Exam') },
  { title: 'Patient', value: (row) => patientNames[row.Patient] },
  { title: 'Simulated', value: (row) => (row.IsSimulated ? 'Yes' : 'No') },
  { title: 'Status', width: 14, value: (row) => stateNames[row.State] },
  { title: 'Score', kind: 'number', value: (row) => row.Score },
  { title: 'Highest', kind: 'number', value: (row) => row.Highest },
  { title: 'Examiner', width: 26, value: (row) => row.Examiner },
  { title: 'Credential', width: 14, value: (row) => row.Credential },
  { title: 'Site', width: 32, value: (row) => row.Site },
  { title: 'Comment', width: 40, value: (row) => row.Comment },
  { title: 'Remediation', width: 40, value: (row) => row.Remediation },
  { title: 'Reason', width: 32, value: (row) => row.EndedReason },
]

const lockOne = async (db: Db, programId: number, attemptId: number): Promise<LockedAttempt> => {
  const attempt = await lockAttempt(db, programId, attemptId)
  if (!attempt) throw fail(competencyFailures.no_exam)
  return attempt
}

const readOne = async (db: Db, programId: number, attemptId: number): Promise<ExamDetail> => {
  const detail = await readDetail(db, programId, attemptId)
  if (!detail) throw fail(competencyFailures.no_exam)
  const { ShortCode: _code, ...exam } = detail
  return exam
}

const tellStudent = (db: Db, programId: number, attempt: LockedAttempt, text: string): Promise<void> =>
  notifyPeople(db, programId, [
    {
      accountId: attempt.studentId,
      kind: 'exam_changed',
      text,
      link: `/new/competencies/exams/${attempt.id}`,
    },
  ])

export const examAdminRoutes = [
  handle(contract.listExams, ({ db, params: { programId }, query }) => listAll(db, programId, query)),

  handle(contract.exportExams, async ({ db, params: { programId }, query }) => {
    const { Format, ...filter } = query
    const columns = [...exportColumns, ...recordColumns(await readStudentNumbers(db, programId))]
    return tableFile(Format, 'Competency exams', columns, streamExams(db, programId, filter))
  }),

  handle(contract.getExam, ({ db, params: { programId, attemptId } }) => readOne(db, programId, attemptId)),

  handle(contract.saveRemediation, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, attemptId } = params
    const attempt = await lockOne(db, programId, attemptId)
    if (attempt.state !== 'failed') throw fail(competencyFailures.not_failed)
    const before = await readOne(db, programId, attemptId)
    await saveRemediation(db, { programId, id: attemptId }, body.Text, user.Id)
    await tellStudent(
      db,
      programId,
      attempt,
      `${user.Name} wrote down what to practice before your next exam in ${attempt.procedure}`,
    )
    audit.subjectId = attempt.studentId
    audit.detail = { Before: before.Remediation, After: body.Text }
    afterCommit(() => services.live.publishLogs(programId))
    return readOne(db, programId, attemptId)
  }),

  handle(contract.approveSimulation, async ({ db, params, user, audit, services, afterCommit }) => {
    const { programId, attemptId } = params
    const attempt = await lockOne(db, programId, attemptId)
    if (attempt.state !== 'open' || !attempt.isSimulated) throw fail(competencyFailures.not_simulated)
    await approveSimulation(db, { programId, id: attemptId }, user.Id)
    await tellStudent(
      db,
      programId,
      attempt,
      `${user.Name} approved that your exam in ${attempt.procedure} is simulated`,
    )
    audit.subjectId = attempt.studentId
    audit.detail = { Procedure: attempt.procedure }
    afterCommit(() => services.live.publishLogs(programId))
    return readOne(db, programId, attemptId)
  }),

  handle(contract.voidExam, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, attemptId } = params
    const attempt = await lockOne(db, programId, attemptId)
    if (attempt.state === 'voided' || attempt.state === 'withdrawn')
      throw fail(competencyFailures.exam_over_already, { State: attempt.state })
    await endAttempt(db, { programId, id: attemptId }, { as: 'voided', reason: body.Reason, by: user.Id })
    await endProofs(db, programId, attemptId)
    await withdrawLinks(db, { programId, kind: 'exam', subjectId: attemptId, by: user.Id })
    await followRecheck(db, programId, attempt)
    await tellStudent(
      db,
      programId,
      attempt,
      `${user.Name} voided your exam in ${attempt.procedure}: ${body.Reason}`,
    )
    audit.subjectId = attempt.studentId
    audit.detail = { Procedure: attempt.procedure, Before: attempt.state, Reason: body.Reason }
    afterCommit(() => services.live.publishLogs(programId))
    return readOne(db, programId, attemptId)
  }),

  handle(contract.reinstateExam, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, attemptId } = params
    const attempt = await lockOne(db, programId, attemptId)
    if (attempt.state !== 'suspended') throw fail(competencyFailures.not_suspended)
    await reinstateAttempt(db, { programId, id: attemptId }, { reason: body.Reason, by: user.Id })
    await followRecheck(db, programId, attempt)
    await tellStudent(
      db,
      programId,
      attempt,
      `${user.Name} let your exam in ${attempt.procedure} count again`,
    )
    audit.subjectId = attempt.studentId
    audit.detail = { Procedure: attempt.procedure, Reason: body.Reason }
    afterCommit(() => services.live.publishLogs(programId))
    return readOne(db, programId, attemptId)
  }),

  handle(contract.listRechecks, ({ db, params: { programId }, query }) =>
    listAllRechecks(db, programId, query),
  ),

  handle(
    contract.createRechecks,
    async ({ db, params: { programId }, body, user, audit, services, afterCommit }) => {
      const studentIds = await listStudentsOf(db, programId, { cohort: body.Cohort, ids: body.StudentIds })
      const isWhole = body.StudentIds.every((id) => studentIds.includes(id))
      if (studentIds.length === 0 || !isWhole) throw fail(peopleFailures.no_such_student)
      const made = await insertRechecks(db, {
        programId,
        studentIds,
        kind: body.Kind,
        dueOn: body.DueOn,
        procedureId: body.ProcedureId,
        count: body.ProcedureId === null ? body.Count : 1,
        by: user.Id,
      })
      await notifyPeople(
        db,
        programId,
        made.map(({ studentId, procedure }) => ({
          accountId: studentId,
          kind: 'recheck_asked',
          text: `${kindNames[body.Kind]}: ${procedure} is to be examined once more`,
          link: '/new/competencies',
        })),
      )
      const Skipped = studentIds.length - new Set(made.map(({ studentId }) => studentId)).size
      audit.detail = { ...body, StudentIds: body.StudentIds.slice(0, 100), Created: made.length, Skipped }
      afterCommit(() => services.live.publishLogs(programId))
      return { Created: made.length, Skipped }
    },
  ),

  handle(
    contract.cancelRechecks,
    async ({ db, params: { programId }, body, audit, services, afterCommit }) => {
      const Canceled = await cancelWaiting(db, programId, body.Ids)
      if (Canceled === 0) throw fail(competencyFailures.no_waiting_recheck)
      audit.detail = { Ids: body.Ids.slice(0, 200), Canceled }
      afterCommit(() => services.live.publishLogs(programId))
      return { Canceled }
    },
  ),
]
