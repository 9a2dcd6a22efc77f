import { sql } from 'kysely'
import { z } from 'zod'
import { formatDate } from '#contract/calendar.ts'
import { type Db, transaction } from '#server/core/database/pool.ts'
import { htmlList } from '#server/core/email-text.ts'
import { job } from '#server/core/jobs.ts'
import { notifyPeople } from '#server/core/notices.ts'
import { postByTemplate } from '#server/core/template-emails.ts'
import { notifyCoordinators } from '../communication/notifications.queries.ts'

/** How many days before its due date an evaluation is reminded of for the first time. */
const soonDays = 3
/** What is overdue longer was told before, or is a matter for staff. */
const mostLateDays = 14

interface Reminded {
  AccountId: number
  FirstName: string
  Email: string
  IsLate: boolean
  Evaluations: { Title: string; Subject: string; Due: string }[]
}

/** Takes what is to be reminded of on the program's day, by evaluator; each step of each evaluation is taken once. */
const takeDue = async (db: Db, programId: number): Promise<Reminded[]> => {
  const { rows } = await sql<Reminded>`
    with today as (select (now() at time zone time_zone)::date as day from program where id = ${programId}),
    due as (
      select e.id, e.evaluator_id, e.end_date, t.title,
        coalesce(u.first_name || ' ' || u.last_name, s.name, '') as subject,
        case when e.end_date < today.day then 'late' when e.end_date = today.day then 'today' else 'soon' end as step
      from today, evaluation e
      join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
      left join account u on u.program_id = e.program_id and u.id = e.subject_id
      left join site s on s.program_id = e.program_id and s.id = e.site_id
      where e.program_id = ${programId} and not e.is_completed and e.deleted_at is null and e.evaluator_id is not null
        and e.date <= today.day
        and e.end_date between today.day - ${mostLateDays}::int and today.day + ${soonDays}::int),
    taken as (
      insert into evaluation_reminder (program_id, evaluation_id, step, end_date)
      select ${programId}, id, step, end_date from due on conflict do nothing returning evaluation_id)
    select a.id as "AccountId", a.first_name as "FirstName", a.email as "Email", d.step = 'late' as "IsLate",
      jsonb_agg(jsonb_build_object('Title', d.title, 'Subject', d.subject, 'Due', d.end_date)
        order by d.end_date, d.id) as "Evaluations"
    from taken t join due d on d.id = t.evaluation_id
    join account a on a.program_id = ${programId} and a.id = d.evaluator_id and a.deleted_at is null
      and a.deactivated_at is null
    group by a.id, a.first_name, a.email, d.step = 'late' order by a.id`.execute(db)
  return rows
}

const many = (count: number): string => `${count} evaluation${count === 1 ? '' : 's'}`
const ownPage = '/new/evaluate'

/** Reminds the evaluators of one program: one email each for what is due, and one for what is overdue. */
export const remindEvaluatorsOf = async (db: Db, programId: number, address: string): Promise<void> => {
  const due = await takeDue(db, programId)
  await notifyPeople(
    db,
    programId,
    due.map(({ AccountId, IsLate, Evaluations: list }) => ({
      accountId: AccountId,
      kind: IsLate ? 'evaluation_late' : 'evaluation_due',
      text: IsLate
        ? `Overdue: ${many(list.length)}`
        : `Due ${formatDate(list[0]!.Due)}: ${many(list.length)}`,
      link: ownPage,
    })),
  )
  await postByTemplate(
    db,
    due
      .filter(({ Email }) => Email !== '')
      .map(({ AccountId: accountId, FirstName, Email: recipient, IsLate, Evaluations: list }) => {
        const to = { programId, accountId, recipient }
        const common = { 'evaluation.count': String(list.length), link: address + ownPage }
        if (!IsLate)
          return {
            ...to,
            label: 'EVALUATION_due' as const,
            values: { ...common, 'evaluation.due': formatDate(list[0]!.Due) },
          }
        return {
          ...to,
          label: 'EVALUATION_late' as const,
          values: {
            ...common,
            'evaluator.firstName': FirstName,
            'evaluation.list': htmlList(
              list.map(({ Title, Subject, Due }) =>
                [Title, Subject && ` of ${Subject}`, `: due ${formatDate(Due)}`].join(''),
              ),
            ),
          },
        }
      }),
  )
  const late = due.flatMap(({ IsLate, Evaluations: list }) => (IsLate ? list : [])).length
  if (late > 0)
    await notifyCoordinators(db, programId, {
      kind: 'evaluation_late',
      text: `Overdue since the last reminder: ${many(late)}`,
      link: '/new/admin/evaluations/status',
    })
}

/** Reminds evaluators three days before the due date, on it, and once when it has passed. */
export const remindOfEvaluations = job({
  name: 'evaluations:remind',
  payload: z.object({}).loose(),
  cron: '30 11 * * *',
  work: async (_payload, services) => {
    const { rows: programs } = await services.pool.query<{ id: number }>(
      'select id from program where deleted_at is null order by id',
    )
    for (const { id } of programs)
      await transaction(services.pool, { accountId: null, programIds: [id] }, (db) =>
        remindEvaluatorsOf(db, id, services.publicUrl() + services.config.appRoot),
      )
  },
})

export const evaluationJobs = [remindOfEvaluations]
