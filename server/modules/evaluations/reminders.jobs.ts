import { z } from 'zod'
import { formatDate } from '#contract/core/calendar.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyCoordinators, notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { everyProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { makeDueEvaluations } from './making.commands.ts'
import { type Reminded, takeDue, takeEscalated } from './reminders.commands.ts'
import { evaluationList, listCoordinatorIds } from './reminders.queries.ts'

const many = (count: number): string => `${count} evaluation${count === 1 ? '' : 's'}`
const ownPage = '/new/evaluate'
const statusPage = '/new/admin/evaluations/status'
/** Coordinators are told of so many evaluators by name. */
const maxBehind = 50

const isLate = ({ Step }: { Step: string }): boolean => Step.startsWith('late')
const firstDue = ({ Evaluations }: Reminded): string | null =>
  Evaluations.flatMap(({ Due }) => Due ?? []).toSorted()[0] ?? null

/** What the bell says: the most serious first. What is only new was announced when it was made. */
const noticeOf = (person: Reminded) => {
  const late = person.Evaluations.filter(isLate).length
  const due = person.Evaluations.filter((each) => !isLate(each) && each.Step !== 'new')
  const told = [
    ...(late > 0 ? [{ kind: 'evaluation_late', text: `Overdue: ${many(late)}` }] : []),
    ...(due.length > 0
      ? [{ kind: 'evaluation_due', text: `Due ${formatDate(due[0]?.Due ?? '')}: ${many(due.length)}` }]
      : []),
  ]
  return told.map((each) => ({ accountId: person.AccountId, link: ownPage, ...each }))
}

/** Tells coordinators of the evaluators who have been behind for longer than a template lets them: one email, one notification. */
const escalate = async (db: Db, programId: number): Promise<void> => {
  const behind = await takeEscalated(db, programId)
  if (behind.length === 0) return
  const count = behind.reduce((sum, { Count }) => sum + Count, 0)
  const coordinators = await listCoordinatorIds(db, programId)
  await notifyPeople(
    db,
    programId,
    coordinators.map((accountId) => ({
      accountId,
      kind: 'evaluation_late',
      text: `Long overdue: ${many(count)}`,
      link: `${statusPage}?quick=late`,
    })),
  )
  const lines = behind.slice(0, maxBehind).map(({ Evaluator, Count, Oldest }) => ({
    key: Evaluator,
    line: `${Evaluator}: ${many(Count)}, the oldest due ${formatDate(Oldest)}`,
  }))
  const more = behind.length - lines.length
  if (more > 0) lines.push({ key: 'more', line: `and ${more} more evaluators` })
  await queueNotices(
    db,
    programId,
    coordinators.flatMap((accountId) =>
      lines.map(({ key, line }, index) => ({
        accountId,
        label: 'EVALUATION_overdue' as const,
        key: `${index}:${key}`,
        line,
      })),
    ),
  )
}

/** Reminds the evaluators of one program, each with one email a day about all that is new, due and overdue. */
export const remindEvaluatorsOf = async (db: Db, programId: number, address: string): Promise<void> => {
  const due = await takeDue(db, programId)
  await notifyPeople(db, programId, due.flatMap(noticeOf))
  await queueTemplatedEmails(
    db,
    due
      .filter(({ Email }) => Email !== '')
      .map((person) => {
        const { AccountId: accountId, Email: recipient, Evaluations: list } = person
        const to = { programId, accountId, recipient }
        const common = { 'evaluation.list': evaluationList(list), link: address + ownPage }
        const late = list.filter(isLate).length
        if (late === 0) {
          const first = firstDue(person)
          return {
            ...to,
            label: 'EVALUATION_due' as const,
            values: {
              ...common,
              'evaluation.count': String(list.length),
              'evaluation.due': first === null ? 'no date' : formatDate(first),
            },
          }
        }
        return {
          ...to,
          label: 'EVALUATION_late' as const,
          values: { ...common, 'evaluation.count': String(late), 'evaluator.firstName': person.FirstName },
        }
      }),
  )
  const late = due.reduce((sum, { Evaluations }) => sum + Evaluations.filter(isLate).length, 0)
  if (late > 0)
    await notifyCoordinators(db, programId, {
      kind: 'evaluation_late',
      text: `Overdue since the last reminder: ${many(late)}`,
      link: statusPage,
    })
  await escalate(db, programId)
}

/** Reminds evaluators before the due date, on it and after, on the days that each template says. */
export const remindOfEvaluations = job({
  name: 'evaluations:remind',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '30 11 * * *',
  work: (_payload, services) =>
    inPrograms(services, everyProgram, (db, programId) =>
      remindEvaluatorsOf(db, programId, services.publicUrl() + services.config.appRoot),
    ),
})

/** What was made before a rule was switched off still follows the schedule. */
const withAutomaticEvaluations = `
  select distinct t.program_id from evaluation_template t join program p on p.id = t.program_id and p.deleted_at is null
  where t.is_automatic and t.is_active and t.deleted_at is null
  union select e.program_id from evaluation e where e.student_id is not null and not e.is_completed and e.deleted_at is null
  order by 1`

/** Makes the evaluations that are due by the rules of automatic templates. */
export const makeEvaluations = job({
  name: 'evaluations:make',
  payload: z.object({}).loose(),
  cron: '10 * * * *',
  work: async (_payload, services) => {
    await inPrograms(services, withAutomaticEvaluations, makeDueEvaluations)
  },
})

export const evaluationJobs = [remindOfEvaluations, makeEvaluations]
