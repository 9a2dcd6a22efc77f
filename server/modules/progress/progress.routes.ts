import { formatDate } from '#contract/core/calendar.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { progressFailures } from '#contract/progress/failures.ts'
import type { Risk } from '#contract/progress/forecast-rules.ts'
import * as contract from '#contract/progress/progress.ts'
import { shortBy } from '#contract/time/short-by.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, hoursColumns, studentNumberColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { listPersons, type RecordedPerson } from '../clinical-records/standing.queries.ts'
import { findProgramContext, getProgramContext, type ProgramContext } from '../programs/context.queries.ts'
import { readFigures } from './facts.queries.ts'
import { closePlan, insertPlan, replaceTasks, savePlan, setTaskDone } from './plans.commands.ts'
import { findPlan, listPlans, listSharedNotes, lockPlan } from './plans.queries.ts'
import { forgetProgress, saveRules } from './progress.commands.ts'
import { listAllProgress, pageProgress, readRisks, readRules } from './progress.queries.ts'

const page = '/new/progress'

const open = async (
  db: Db,
  programId: number | null,
  studentId: number,
): Promise<{ program: ProgramContext; person: RecordedPerson; today: string }> => {
  const program = await findProgramContext(db, programId)
  const [person] = program ? await listPersons(db, program.Id, [studentId]) : []
  if (!program || !person) throw fail(peopleFailures.no_student)
  return { program, person, today: todayIn(program.TimeZone) }
}

const onItsDay = async (db: Db, programId: number) => {
  const { TimeZone } = await getProgramContext(db, programId)
  return { programId, today: todayIn(TimeZone) }
}

const readProgress = async (
  db: Db,
  programId: number | null,
  studentId: number,
): Promise<contract.Progress> => {
  const { program, today } = await open(db, programId, studentId)
  const [figures, Notes, Plans] = await Promise.all([
    readFigures(db, program.Id, {
      studentIds: [studentId],
      rules: await readRisks(db, program.Id),
      today,
      isEverybody: false,
    }),
    listSharedNotes(db, program.Id, studentId),
    listPlans(db, program.Id, studentId),
  ])
  // The student is there, so there are figures.
  return { ...figures.get(studentId)!, Notes, Plans }
}

const getPlan = async (
  db: Db,
  { programId, studentId, planId }: { programId: number; studentId: number; planId: number },
): Promise<contract.RemediationPlan> => {
  const plan = await findPlan(db, programId, studentId, planId)
  if (!plan) throw fail(progressFailures.no_remediation_plan)
  return plan
}

/** An open plan that nobody else works on until the call is over. */
const lockOpenPlan = async (
  db: Db,
  params: { programId: number; studentId: number; planId: number },
): Promise<contract.RemediationPlan> => {
  await getPlan(db, params)
  await lockPlan(db, params.programId, params.planId)
  const plan = await getPlan(db, params)
  if (plan.State !== 'open') throw fail(progressFailures.plan_closed, { Title: plan.Title })
  return plan
}

const tell = async (
  db: Db,
  programId: number,
  { id, first, email, isActive }: RecordedPerson,
  {
    kind,
    text,
    label,
    values,
  }: {
    kind: string
    text: string
  } & (
    | { label: 'REMEDIATION_started'; values: { 'plan.title': string; 'plan.due': string } }
    | { label: 'REMEDIATION_closed'; values: { 'plan.title': string; 'plan.outcome': string } }
  ),
): Promise<void> => {
  await notifyPeople(db, programId, [{ accountId: id, kind, text, link: page }])
  if (email === '' || !isActive) return
  const to = { programId, accountId: id, recipient: email }
  const common = { 'student.firstName': first, link: page }
  await queueTemplatedEmails(db, [
    label === 'REMEDIATION_started'
      ? { ...to, label, values: { ...common, ...values } }
      : { ...to, label, values: { ...common, ...values } },
  ])
}

const hours = hoursColumns<contract.ProgressRow>

const riskNames: Record<Risk, string> = {
  forecast: 'Behind schedule',
  hours: 'Short of hours',
  absences: 'Absences',
  late: 'Late arrivals',
  evaluations: 'Evaluations',
  requirements: 'Requirements',
  remediation: 'Remediation plan overdue',
}

const columns: readonly ExportColumn<contract.ProgressRow>[] = [
  { title: 'Student', width: 28, value: (row) => row.Student },
  { title: 'Cohort', kind: 'year', width: 12, value: (row) => row.Cohort },
  { title: 'Student level', width: 18, value: (row) => row.StudentLevel },
  { title: 'Completes on', kind: 'date', value: (row) => row.CompletesOn },
  {
    title: 'Decided by',
    width: 14,
    value: (row) => (row.DecidedBy === null ? '' : row.DecidedBy === 'hours' ? 'Hours' : 'Competencies'),
  },
  { title: 'Planned end', kind: 'date', value: (row) => row.EndsOn },
  ...hours('Hours', (row) => row.Hours.Done),
  ...hours('Hours needed', (row) => row.Hours.Needed),
  { title: 'Hours done on', kind: 'date', value: (row) => row.Hours.DoneOn },
  ...hours('Hours expected', ({ Hours }) => Hours.Projection - Hours.Done),
  ...hours('Hours short', (row) => row.Hours.ShortMinutes),
  { title: 'Short in rotation', width: 18, value: (row) => row.Hours.ShortIn?.Rotation },
  ...hours('Hours short in it', ({ Hours }) => Hours.ShortIn && shortBy(Hours.ShortIn)),
  { title: 'Hours a week', kind: 'hours', value: (row) => row.Hours.PerWeek },
  { title: 'Exams', kind: 'number', value: (row) => row.Exams.Done },
  { title: 'Exams needed', kind: 'number', value: (row) => row.Exams.Needed },
  { title: 'Exams a week', kind: 'number', value: (row) => row.Exams.PerWeek },
  { title: 'Requirements missing', kind: 'number', value: (row) => row.RequirementsMissing },
  { title: 'Absences', kind: 'number', value: (row) => row.Absences },
  { title: 'Late arrivals', kind: 'number', value: (row) => row.Late },
  { title: 'Made up', kind: 'number', value: (row) => row.MadeUp },
  { title: 'Evaluations %', kind: 'number', value: (row) => row.EvaluationPercent },
  { title: 'At risk', width: 30, value: (row) => row.Risks.map((risk) => riskNames[risk]).join(', ') },
]

export const progressRoutes = [
  handle(contract.getStudentProgress, ({ db, params: { programId, studentId } }) =>
    readProgress(db, programId, studentId),
  ),

  handle(contract.getOwnProgress, ({ db, user }) => readProgress(db, user.ProgramId, user.Id)),

  handle(contract.listProgress, async ({ db, params: { programId }, query }) =>
    pageProgress(db, await onItsDay(db, programId), query),
  ),

  handle(contract.exportProgress, async ({ db, params: { programId }, query: { Format, ...filters } }) => {
    const numberOf = await readStudentNumbers(db, programId)
    const own = studentNumberColumn<contract.ProgressRow>(({ StudentId }) => numberOf(StudentId))
    const rows = await listAllProgress(db, await onItsDay(db, programId), filters)
    return tableFile(Format, 'Progress', [...columns, own], rows)
  }),

  handle(contract.getProgressRules, ({ db, params }) => readRules(db, params.programId)),

  handle(contract.saveProgressRules, async ({ db, params: { programId }, body, audit }) => {
    audit.detail = { Before: await readRules(db, programId), After: body }
    await saveRules(db, programId, body)
    return readRules(db, programId)
  }),

  handle(contract.addRemediationPlan, async ({ db, params: { programId, studentId }, body, user, audit }) => {
    const { person, today } = await open(db, programId, studentId)
    const planId = await insertPlan(db, programId, studentId, body, { today, accountId: user.Id })
    await replaceTasks(
      db,
      programId,
      planId,
      body.Tasks.map(({ Text, DueOn }) => ({ Text, DueOn })),
    )
    audit.detail = { After: body }
    await forgetProgress(db, programId, studentId)
    await tell(db, programId, person, {
      kind: 'remediation',
      text: `Remediation plan: ${body.Title}, due ${formatDate(body.DueOn)}`,
      label: 'REMEDIATION_started',
      values: { 'plan.title': body.Title, 'plan.due': formatDate(body.DueOn) },
    })
    return getPlan(db, { programId, studentId, planId })
  }),

  handle(contract.updateRemediationPlan, async ({ db, params, body: { Revision, ...body }, audit }) => {
    const before = await lockOpenPlan(db, params)
    if (before.Revision !== Revision) throw fail(progressFailures.plan_changed, { Title: before.Title })
    audit.detail = { Before: before, After: body }
    const dueOn = new Map(before.Tasks.map((task) => [task.Id, task.DueOn]))
    const tasks = body.Tasks.map((task) => ({ DueOn: dueOn.get(task.Id ?? 0) ?? null, ...task }))
    await savePlan(db, params.programId, params.planId, { ...before, ...body })
    await forgetProgress(db, params.programId, params.studentId)
    await replaceTasks(db, params.programId, params.planId, tasks)
    return getPlan(db, params)
  }),

  handle(
    contract.setRemediationTask,
    async ({ db, params: { taskId, ...params }, body: { IsDone }, user, audit }) => {
      await lockOpenPlan(db, params)
      const { today } = await open(db, params.programId, params.studentId)
      audit.detail = { IsDone }
      const by = { isDone: IsDone, today, accountId: user.Id }
      if (!(await setTaskDone(db, params.programId, params.planId, taskId, by)))
        throw fail(progressFailures.no_task)
      return getPlan(db, params)
    },
  ),

  handle(contract.closeRemediationPlan, async ({ db, params, body: { State, Outcome }, user, audit }) => {
    const plan = await lockOpenPlan(db, params)
    const { person, today } = await open(db, params.programId, params.studentId)
    audit.detail = { State, Outcome }
    await forgetProgress(db, params.programId, params.studentId)
    await closePlan(db, params.programId, params.planId, {
      state: State,
      outcome: Outcome,
      today,
      accountId: user.Id,
    })
    await tell(db, params.programId, person, {
      kind: 'remediation',
      text: `Remediation plan closed: ${plan.Title}`,
      label: 'REMEDIATION_closed',
      values: { 'plan.title': plan.Title, 'plan.outcome': Outcome },
    })
    return getPlan(db, params)
  }),
]
