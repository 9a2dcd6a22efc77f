import { type RawBuilder, sql } from 'kysely'
import type { CohortInput } from '#contract/evaluations/evaluation-making.ts'
import type { TemplateDetail } from '#contract/evaluations/evaluations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { cohortOccasions, cohortRule, isThere, pairs, scheduled } from './making.queries.ts'

/** What was missed, as while the machine was off or a supervisor was added late, is still made for so many days. */
const lookBackDays = 14

/** The rules of a program as they are kept: every automatic template that can be asked for, up to today. */
const keptRules = (programId: number): RawBuilder<unknown> => sql`
  select t.id, t.evaluator_role, t.subject_role, t.make_on, t.make_days::integer as make_days, t.make_date, t.make_each,
    t.due_rule, t.due_days, t.due_date,
    array(select l.level_id from evaluation_template_level l where l.program_id = t.program_id and l.template_id = t.id) as levels,
    array(select p.account_id from evaluation_template_person p where p.program_id = t.program_id and p.template_id = t.id) as people,
    greatest(t.automatic_from, t.made_through - ${lookBackDays}::integer) as from_day, clock.today as until_day
  from evaluation_template t cross join clock
  left join form_type f on f.program_id = t.program_id and f.id = t.form_type_id and f.deleted_at is null
  where t.program_id = ${programId} and t.is_automatic and t.is_active and t.deleted_at is null
    and coalesce(f.view_on_form, true) and exists (
      select from evaluation_item i
      join evaluation_category c on c.program_id = i.program_id and c.id = i.category_id and c.deleted_at is null
      where i.program_id = t.program_id and i.template_id = t.id and i.deleted_at is null)`

const insertPairs = (programId: number, batchId: string | null, by: number | null) => sql`
  insert into evaluation (program_id, template_id, occasion, evaluator_id, subject_id, site_id, assignment_id, rotation_id,
      student_id, date, end_date, batch_id, created_by)
    select ${programId}, rule_id, occasion, evaluator_id, subject_id, site_id, assignment_id, rotation_id, student_id,
      date, case when is_dated then due end, ${batchId}::uuid, ${by}::bigint
    from fresh
    on conflict (program_id, template_id, occasion, evaluator_id, subject_id) where occasion is not null
    do update set deleted_at = null, withdrawn_at = null, end_date = excluded.end_date, batch_id = excluded.batch_id
      where evaluation.withdrawn_at is not null
    returning id, evaluator_id`

/** How many evaluations each evaluator was given. */
interface Made {
  evaluator_id: number
  count: number
}
const madeByEvaluator = sql`select evaluator_id, count(*) as count from made group by evaluator_id`

/** Tells the evaluators; answers how many evaluations were made. */
const notifyEvaluators = async (db: Db, programId: number, made: readonly Made[]): Promise<number> => {
  await notifyPeople(
    db,
    programId,
    made.map(({ evaluator_id, count }) => ({
      accountId: evaluator_id,
      kind: 'evaluation_new',
      text: count === 1 ? '1 new evaluation to complete' : `${count} new evaluations to complete`,
      link: '/new/evaluate',
    })),
  )
  return made.reduce((sum, { count }) => sum + count, 0)
}

/**
 * Makes the evaluations of a program that are due by the rules of its templates, and takes back what its occasion was taken
 * from. May run on several machines at once and any number of times: the unique key of the occasion lets each be made once.
 */
export const makeDueEvaluations = async (
  db: Db,
  programId: number,
): Promise<{ made: number; withdrawn: number }> => {
  const withdrawn = await withdraw(db, programId)
  const { rows } = await sql<Made>`
    ${pairs(programId, keptRules(programId), scheduled(programId, { isDue: true }))},
    fresh as (select p.* from pair p),
    made as (${insertPairs(programId, null, null)}),
    reached as (update evaluation_template t set made_through = r.until_day from rule r
      where t.program_id = ${programId} and t.id = r.id and coalesce(t.made_through < r.until_day, true))
    ${madeByEvaluator}`.execute(db)
  return { made: await notifyEvaluators(db, programId, rows), withdrawn }
}

/** Nobody has answered anything: it may be taken back. */
const isUnanswered = sql`not e.is_completed and e.deleted_at is null and not exists (
  select from evaluation_answer w where w.program_id = e.program_id and w.evaluation_id = e.id)`
const isUntouched = sql`${isUnanswered} and e.stopped_at is null`

/**
 * Takes back what nobody has started and what has lost its occasion: the shift was removed, no shift of the student is left in
 * the rotation (or at the site), or the student is no longer active.
 */
const withdraw = async (db: Db, programId: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    update evaluation e set deleted_at = now(), withdrawn_at = now()
    where e.program_id = ${programId} and e.student_id is not null and not e.is_completed and e.occasion is not null
      and e.batch_id is null and ${isUnanswered} and (e.stopped_at is null and (
        (e.assignment_id is not null and exists (select from shift_assignment a
          where a.program_id = e.program_id and a.id = e.assignment_id and a.removed_at is not null))
        or (e.assignment_id is null and e.rotation_id is not null and not exists (select from shift_assignment a
          where a.program_id = e.program_id and a.student_id = e.student_id and a.rotation_id = e.rotation_id
            and a.removed_at is null and (e.occasion not like '%:site:%' or a.site_id = e.site_id)))
        )
        -- What stopped with the student's leaving is made anew should they come back.
        or exists (select from account s where s.program_id = e.program_id and s.id = e.student_id
          and (s.deleted_at is not null or s.deactivated_at is not null)
          and (e.stopped_at is null or e.stopped_at >= coalesce(s.deactivated_at, s.deleted_at))))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** Assigns a template to a cohort in one statement, and answers how many evaluations were made. */
export const makeForCohort = async (
  db: Db,
  programId: number,
  template: TemplateDetail,
  input: CohortInput,
  { batchId, by }: { batchId: string; by: number },
): Promise<number> => {
  const { rows } = await sql<Made>`
    ${pairs(programId, cohortRule(template, input), cohortOccasions(programId, input))},
    fresh as (select p.* from pair p where not ${isThere(programId)}),
    made as (${insertPairs(programId, batchId, by)})
    ${madeByEvaluator}`.execute(db)
  return notifyEvaluators(db, programId, rows)
}

/** Takes a cohort's evaluations back, except those that were started, and answers how many of both. */
export const removeBatch = async (
  db: Db,
  programId: number,
  batchId: string,
): Promise<{ Removed: number; Started: number }> => {
  const { rows } = await sql<{ Removed: number; Started: number }>`
    with own as (select e.id, ${isUntouched} as is_untouched from evaluation e
      where e.program_id = ${programId} and e.batch_id = ${batchId}::uuid and e.deleted_at is null),
    gone as (update evaluation e set deleted_at = now(), withdrawn_at = now() from own o
      where e.program_id = ${programId} and e.id = o.id and o.is_untouched returning e.id)
    select (select count(*) from gone) as "Removed", (select count(*) from own where not is_untouched) as "Started"`.execute(
    db,
  )
  return rows[0]!
}
