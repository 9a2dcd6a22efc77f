import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import * as contract from '#contract/evaluations/evaluation-making.ts'
import {
  automaticProblem,
  isAboutStudents,
  isMadeByRule,
  needsPeople,
} from '#contract/evaluations/evaluation-making-rules.ts'
import type { TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { evaluationFailures } from '#contract/evaluations/failures.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { throttle } from '#server/core/http/throttle.ts'
import { htmlOfTyped } from '#server/core/mail/email-text.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { refuseEndedPerson } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import {
  addRequestedEvaluation,
  extendEvaluations,
  restoreEvaluations,
  setStopped,
} from './evaluations.commands.ts'
import { findEvaluation, listLinks } from './evaluations.queries.ts'
import { addLink, endLink } from './links.commands.ts'
import { openSealedLink } from './links.queries.ts'
import { makeForCohort, removeBatch } from './making.commands.ts'
import { previewCohort, previewRule } from './making.queries.ts'
import { countOpenRequests, listRequestEvaluators, listRequestTemplates } from './requests.queries.ts'
import { dueDateOf, expectOffered, findTemplate } from './templates.queries.ts'

const viewerOf = (user: User) => ({
  Id: user.Id,
  AccessLevel: user.AccessLevel,
  today: todayIn(user.TimeZone),
})

const automaticRoutes = [
  handle(contract.previewAutomatic, ({ db, params: { programId }, query, body }) => {
    const problem = automaticProblem({ ...body.Rule, IsAutomatic: true })
    if (problem) throw fail(evaluationFailures.incomplete_rule, { Problem: problem.text }, problem.field)
    return previewRule(db, programId, body.TemplateId, body.Rule, { ...query, days: contract.previewDays })
  }),
]

/** A template that can be assigned to many students at once. */
const templateForCohort = async (
  db: Db,
  programId: number,
  { TemplateId, PersonIds, Date: date, EndDate }: contract.CohortInput,
): Promise<TemplateDetail> => {
  const template = await findTemplate(db, programId, TemplateId)
  if (!template) throw fail(evaluationFailures.no_template)
  await expectOffered(db, programId, template)
  if (template.IsAnonymous || !isMadeByRule(template) || !isAboutStudents(template))
    throw fail(evaluationFailures.not_by_cohort, { Title: template.Title }, 'TemplateId')
  if (needsPeople(template) && PersonIds.length === 0) throw fail(evaluationFailures.no_people, 'PersonIds')
  if (EndDate !== null && EndDate < date) throw fail(evaluationFailures.due_too_early, 'EndDate')
  return template
}

const cohortRoutes = [
  handle(contract.previewCohort, async ({ db, params: { programId }, query, body }) =>
    previewCohort(db, programId, await templateForCohort(db, programId, body), body, query),
  ),

  handle(contract.assignCohort, async ({ db, params: { programId }, body, user, audit }) => {
    const template = await templateForCohort(db, programId, body)
    const BatchId = randomUUID()
    const Made = await makeForCohort(db, programId, template, body, { batchId: BatchId, by: user.Id })
    audit.detail = { TemplateId: template.Id, BatchId, Made, Cohort: body }
    return { Made, BatchId }
  }),

  handle(contract.undoCohort, async ({ db, params: { programId }, body, audit }) => {
    const removed = await removeBatch(db, programId, body.BatchId)
    audit.detail = { ...body, ...removed }
    return removed
  }),
]

/** So many ids at most go back for undoing a change. */
const maxUndone = 5_000
/** So many ids at most are written down with a change. */
const maxAudited = 1_000
const answerOf = (ids: readonly number[]) => ({
  Changed: ids.length,
  Ids: ids.length > maxUndone ? [] : [...ids],
})

const bulkRoutes = [
  handle(contract.extendEvaluations, async ({ db, params: { programId }, body, user, audit }) => {
    const before = await extendEvaluations(db, programId, viewerOf(user), body, body)
    const ids = before.flatMap(({ Ids }) => Ids)
    audit.detail = {
      Changed: ids.length,
      Ids: ids.slice(0, maxAudited),
      ...(body.Days === undefined ? { EndDate: body.EndDate } : { Days: body.Days }),
    }
    return { ...answerOf(ids), Before: ids.length > maxUndone ? [] : before }
  }),

  handle(contract.stopEvaluations, async ({ db, params: { programId }, body, user, audit }) => {
    const ids = await setStopped(db, programId, viewerOf(user), body, true)
    audit.detail = { Stopped: ids.length, Ids: ids.slice(0, maxAudited) }
    return answerOf(ids)
  }),

  handle(contract.restoreEvaluations, async ({ db, params: { programId }, body }) => {
    for (const by of ['subject_id', 'evaluator_id'])
      await refuseEndedPerson(db, programId, { table: 'evaluation', ids: body.Ids, by })
    const { rows: again } = await sql<{ title: string }>`
      select t.title from evaluation e
      join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
      join evaluation o on o.program_id = e.program_id and o.template_id = e.template_id and o.evaluator_id = e.evaluator_id
        and o.subject_id is not distinct from e.subject_id and o.is_requested and not o.is_completed
        and o.deleted_at is null and o.id <> e.id
      where e.program_id = ${programId} and e.id = any (${body.Ids}::bigint[]) and e.deleted_at is not null and e.is_requested
      limit 1`.execute(db)
    if (again[0]) throw fail(evaluationFailures.asked_again, { Title: again[0].title })
    const Restored = await restoreEvaluations(db, programId, body.Ids)
    if (Restored === 0) throw fail(evaluationFailures.no_evaluation)
    return { Restored }
  }),

  handle(contract.resumeEvaluations, async ({ db, params: { programId }, body, user, audit }) => {
    const ids = await setStopped(db, programId, viewerOf(user), body, false)
    audit.detail = { Resumed: ids.length, Ids: ids.slice(0, maxAudited) }
    return answerOf(ids)
  }),
]

/** An evaluation has no more living links than these. */
const maxLinks = 20

const linkRoutes = [
  handle(contract.listEvaluationLinks, async ({ db, params, services }) => {
    const { programId, evaluationId } = params
    if (!(await findEvaluation(db, programId, evaluationId, { locks: false })))
      throw fail(evaluationFailures.no_evaluation)
    const links = await listLinks(db, programId, evaluationId)
    return links.map(({ id, sealed_token, created_at, ended_at, created_by }) => ({
      Id: id,
      Link:
        ended_at === null
          ? openSealedLink(services, { programId, evaluationId, sealed: sealed_token })
          : null,
      CreatedAt: created_at,
      CreatedBy: created_by,
      EndedAt: ended_at,
    }))
  }),

  handle(
    contract.makeEvaluationLink,
    async ({ db, params: { programId, evaluationId }, services, user, audit }) => {
      const kept = await findEvaluation(db, programId, evaluationId, { locks: true })
      if (!kept) throw fail(evaluationFailures.no_evaluation)
      if (kept.is_completed) throw fail(evaluationFailures.needs_no_link)
      if (kept.stopped_at !== null) throw fail(evaluationFailures.stopped_without_link)
      if (kept.evaluator_id !== null)
        throw fail(evaluationFailures.has_evaluator, { Evaluator: kept.evaluator })
      const links = await listLinks(db, programId, evaluationId)
      if (links.filter(({ ended_at }) => ended_at === null).length >= maxLinks)
        throw fail(evaluationFailures.too_many_links, { Count: maxLinks })
      const { id, createdAt, link } = await addLink(db, services, { programId, evaluationId, by: user.Id })
      audit.detail = { EvaluationId: evaluationId, LinkId: id }
      return { Id: id, Link: link, CreatedAt: createdAt, CreatedBy: user.Name, EndedAt: null }
    },
  ),

  handle(contract.endEvaluationLink, async ({ db, params }) => {
    if (!(await endLink(db, params))) throw fail(evaluationFailures.no_link)
  }),
]

/** So many requests of one person may wait at a time. */
const maxOpen = 10
/** So many times a day a person may ask, granted or not. */
const maxAsked = 20
const daySeconds = 24 * 60 * 60

const requesterOf = (programId: number, user: User) => ({
  programId,
  id: user.Id,
  level: user.AccessLevel,
  today: todayIn(user.TimeZone),
})

const requestRoutes = [
  handle(contract.listRequestOptions, async ({ db, user, session }) => {
    if (session.programId === null) return { Templates: [], Evaluators: [] }
    const requester = requesterOf(session.programId, user)
    const Templates = await listRequestTemplates(db, requester)
    const roles = [...new Set(Templates.map(({ EvaluatorRole }) => EvaluatorRole))]
    const people = await listRequestEvaluators(db, requester, roles)
    return { Templates, Evaluators: people.map(({ SiteId: _site, ...person }) => person) }
  }),

  handle(contract.requestEvaluation, async ({ db, body, user, session, services, audit }) => {
    const { programId } = session
    if (programId === null) throw fail(evaluationFailures.no_template)
    await throttle(services.pool, [
      { key: `evaluation-request:${user.Id}`, max: maxAsked, windowSeconds: daySeconds },
    ])
    const requester = requesterOf(programId, user)
    const allowed = (await listRequestTemplates(db, requester)).find(({ Id }) => Id === body.TemplateId)
    if (!allowed) throw fail(evaluationFailures.template_not_askable, 'TemplateId')
    const people = await listRequestEvaluators(db, requester, [allowed.EvaluatorRole])
    const evaluator = people.find(({ Id }) => Id === body.EvaluatorId)
    if (!evaluator) throw fail(evaluationFailures.evaluator_not_askable, 'EvaluatorId')
    if ((await countOpenRequests(db, programId, user.Id)) >= maxOpen)
      throw fail(evaluationFailures.too_many_requests, { Count: maxOpen })
    const template = await findTemplate(db, programId, body.TemplateId)
    if (!template) throw fail(evaluationFailures.no_template)
    const due = dueDateOf(template, { Date: requester.today, EndDate: null })
    const endDate = due !== null && due < requester.today ? requester.today : due
    const made = await addRequestedEvaluation(db, {
      program_id: programId,
      template_id: template.Id,
      evaluator_id: evaluator.Id,
      subject_id: user.Id,
      site_id: evaluator.SiteId,
      date: requester.today,
      end_date: endDate,
      created_by: user.Id,
    })
    if (made === undefined)
      throw fail(evaluationFailures.asked_before, { Name: evaluator.Name }, 'EvaluatorId')
    audit.detail = { EvaluationId: made, TemplateId: template.Id, EvaluatorId: evaluator.Id }
    audit.subjectId = user.Id
    const link = `/new/evaluate/${made}`
    await notifyPeople(db, programId, [
      {
        accountId: evaluator.Id,
        kind: 'evaluation_new',
        text: `${user.Name} asks for an evaluation: ${template.Title}`,
        link,
      },
    ])
    const person = await db
      .selectFrom('account')
      .select(['email', 'first_name'])
      .where('program_id', '=', programId)
      .where('id', '=', evaluator.Id)
      .executeTakeFirstOrThrow()
    if (person.email !== '')
      await queueTemplatedEmails(db, [
        {
          programId,
          accountId: evaluator.Id,
          label: 'EVALUATION_requested',
          recipient: person.email,
          values: {
            'evaluator.firstName': person.first_name,
            'requester.name': user.Name,
            'evaluation.title': template.Title,
            'evaluation.due': endDate === null ? 'no date' : formatDate(endDate),
            'request.note': htmlOfTyped(body.Note),
            link: services.publicUrl() + services.config.appRoot + link,
          },
        },
      ])
    return { Id: made, Evaluator: evaluator.Name, EndDate: endDate }
  }),
]

export const evaluationMakingRoutes = [
  ...automaticRoutes,
  ...cohortRoutes,
  ...bulkRoutes,
  ...linkRoutes,
  ...requestRoutes,
]
