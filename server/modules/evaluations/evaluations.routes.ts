import { sql } from 'kysely'
import type { z } from 'zod'
import { Level } from '#contract/core/levels.ts'
import { answerProblem, notOfForm } from '#contract/evaluations/answer-problems.ts'
import * as contract from '#contract/evaluations/evaluations.ts'
import {
  type ItemFacts,
  markAnswers,
  meanScore,
  missingOf,
  standingAnswers,
} from '#contract/evaluations/evaluations-rules.ts'
import { evaluationFailures } from '#contract/evaluations/failures.ts'
import { getInboxForm, saveInboxForm } from '#contract/inbox/inbox.ts'
import { sentence } from '#contract/language/texts.ts'
import { hashToken, type User } from '#server/core/auth/session.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { requireProof } from '#server/core/http/guard.ts'
import { handle } from '#server/core/http/handle.ts'
import { throttle } from '#server/core/http/throttle.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { holdPeople } from '#server/core/runtime/people-lock.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import {
  addEvaluation,
  deleteEvaluations,
  fixAnswers,
  storeAnswers,
  submitEvaluation,
} from './evaluations.commands.ts'
import {
  findEvaluation,
  findEvaluationRow,
  type KeptEvaluation,
  listAnswers,
  listOwn,
  searchEvaluations,
} from './evaluations.queries.ts'
import { addLink } from './links.commands.ts'
import { evaluationList, type Remembered, withNames } from './reminders.queries.ts'
import { dueDateOf, expectOffered, findTemplate } from './templates.queries.ts'
import { findByToken } from './tokens.across.ts'

const viewerOf = (user: User) => ({
  Id: user.Id,
  AccessLevel: user.AccessLevel,
  today: todayIn(user.TimeZone),
})

const itemFacts = (template: contract.FormWords): ItemFacts[] => {
  const scores = new Map(template.ScoreTypes.map(({ Id, Values }) => [Id, Values]))
  return template.Items.map((item) => ({ ...item, ScoreValues: scores.get(item.ScoreTypeId ?? 0) ?? [] }))
}

/** What an evaluation asks: as it was submitted, and before that as its template is now. */
const askedBy = async (db: Db, programId: number, kept: KeptEvaluation): Promise<contract.FormWords> => {
  if (kept.form) return kept.form
  const template = await findTemplate(db, programId, kept.template_id)
  if (!template) throw fail(evaluationFailures.no_form)
  return contract.formWords(template)
}

type Filled = z.infer<typeof contract.AnswersInput>

/**
 * The form with its answers. Of an anonymous one the server shows only those `given` in this very call: whoever passed the
 * link on has it too, so the device that answers remembers what it has answered.
 */
const formOf = async (
  db: Db,
  programId: number,
  kept: KeptEvaluation,
  { mayFill, given }: { mayFill: boolean; given?: Filled },
): Promise<contract.FilledForm> => {
  const form = await askedBy(db, programId, kept)
  const items = itemFacts(form)
  const isShown = !kept.is_anonymous || given !== undefined
  const answers = isShown ? standingAnswers(items, await listAnswers(db, programId, kept.id)) : []
  const own = new Set(given?.Answers.map(({ ItemId }) => ItemId))
  return {
    ...form,
    Id: kept.id,
    Evaluator: kept.is_anonymous ? 'Anonymous' : kept.evaluator,
    Subject: kept.subject,
    Site: kept.site,
    Date: kept.date,
    EndDate: kept.end_date,
    Status: kept.is_completed ? 1 : 0,
    IsStopped: kept.stopped_at !== null,
    SubmittedAt: kept.is_anonymous ? null : kept.submitted_at,
    SignedName: kept.signed_name,
    Score: kept.is_anonymous ? null : kept.total_score,
    MayFill: mayFill && !kept.is_completed && kept.stopped_at === null,
    Answers: kept.is_anonymous ? answers.filter(({ ItemId }) => own.has(ItemId)) : answers,
    Missing: missingOf(items, form.Groups, answers),
  }
}

/**
 * Whoever was asked fills; the subject reads what was submitted; staff read, supervisors for their sites. For everybody
 * else the evaluation is not there.
 */
const readable = async (db: Db, programId: number, user: User, kept: KeptEvaluation): Promise<boolean> => {
  if (kept.evaluator_id === user.Id) return true
  if (user.AccessLevel >= Level.Faculty) return true
  if (!kept.is_completed || kept.is_anonymous) return false
  if (kept.subject_id === user.Id) return kept.is_shown_to_subject
  if (user.AccessLevel < Level.Supervisor || kept.site_id === null) return false
  const tied = await db
    .selectFrom('supervisor_site')
    .select('site_id')
    .where('program_id', '=', programId)
    .where('account_id', '=', user.Id)
    .where('site_id', '=', kept.site_id)
    .executeTakeFirst()
  return Boolean(tied)
}

const programOf = (programId: number | null): number => {
  if (programId === null) throw fail(evaluationFailures.no_evaluation)
  return programId
}

/** A device may submit again, long after, what has arrived: with the same answers nothing is to be done, and nothing was refused. */
const isRepeat = async (
  db: Db,
  programId: number,
  kept: KeptEvaluation,
  { Answers, Submit }: Filled,
): Promise<boolean> => {
  if (!kept.is_completed || !Submit) return false
  const known = new Map((await listAnswers(db, programId, kept.id)).map((answer) => [answer.ItemId, answer]))
  return Answers.every((answer) => {
    const { ScoreValueId, Text, Comment } = known.get(answer.ItemId) ?? {}
    return (
      ScoreValueId === answer.ScoreValueId &&
      (Text || null) === (answer.Text || null) &&
      (Comment || null) === (answer.Comment || null)
    )
  })
}

const keep = async (db: Db, programId: number, kept: KeptEvaluation, body: Filled): Promise<void> => {
  if (kept.is_completed) {
    throw fail(evaluationFailures.submitted)
  }
  if (kept.stopped_at !== null) throw fail(evaluationFailures.stopped)
  const form = await askedBy(db, programId, kept)
  const items = itemFacts(form)
  const byId = new Map(items.map((item) => [item.Id, item]))
  const problems = body.Answers.flatMap((answer, index) => {
    const item = byId.get(answer.ItemId)
    const problem = item ? answerProblem(item, answer) : notOfForm
    return problem
      ? [
          {
            Field: `Answers.${index}`,
            Message: sentence(problem, { Item: item?.Text.slice(0, 80) ?? answer.ItemId }),
          },
        ]
      : []
  })
  if (problems.length > 0) {
    throw fail(evaluationFailures.bad_answer, { Problem: problems[0]!.Message }, { fields: problems })
  }
  await storeAnswers(db, programId, kept, body.Answers)
  if (!body.Submit) return
  const answers = standingAnswers(items, await listAnswers(db, programId, kept.id))
  const missing = missingOf(items, form.Groups, answers)
  if (missing.length > 0) {
    const first = missing[0]!
    const told = { Count: missing.length, Item: byId.get(first.ItemId)!.Text.slice(0, 120) }
    const more = {
      fields: missing.map(({ ItemId, Kind }) => ({ Field: String(ItemId), Message: Kind })),
      extra: { Missing: missing },
    }
    if (first.Kind === 'group')
      throw fail(evaluationFailures.incomplete_group, { ...told, Group: first.Group ?? '' }, more)
    throw fail(
      first.Kind === 'comment' ? evaluationFailures.incomplete_comment : evaluationFailures.incomplete_answer,
      told,
      more,
    )
  }
  const mean = meanScore(items, answers)
  const marks = markAnswers(items, answers)
  await fixAnswers(
    db,
    programId,
    kept.id,
    answers.map(({ ItemId, ScoreValueId }, index) => ({ ItemId, ScoreValueId, ...marks[index]! })),
  )
  await submitEvaluation(db, programId, kept, { form, signedName: body.SignedName, mean })
  const low = marks.filter(({ IsLow }) => IsLow).length
  // A message at the moment when an anonymous form comes in would tell whose it is.
  if (kept.is_anonymous) return
  const about = `${form.Title}: ${kept.subject || 'the program'}`
  const by = kept.evaluator ? `, by ${kept.evaluator}` : ''
  const link = `/new/evaluate/${kept.id}`
  await notifyCoordinators(db, programId, {
    kind: 'evaluation_completed',
    text: `Submitted: ${about}${by}`,
    link,
    email: { label: 'EVALUATION_completed', key: `evaluation:${kept.id}`, line: about + by },
  })
  if (low === 0) return
  const scores = low === 1 ? '1 low score' : `${low} low scores`
  await notifyCoordinators(db, programId, {
    kind: 'low_score',
    text: `${scores} for ${kept.subject || 'the program'}: ${form.Title}`,
    link,
    email: { label: 'EVALUATION_low_score', key: `evaluation:${kept.id}`, line: `${about}: ${scores}` },
  })
}

const expectRole = async (
  db: Db,
  programId: number,
  accountId: number,
  role: string,
  field: string,
): Promise<void> => {
  const levels: Record<string, readonly number[]> = {
    student: [Level.Student, Level.Alumnus],
    peer: [Level.Student],
    self: [Level.Student],
    faculty: [Level.Faculty],
    supervisor: [Level.Supervisor, Level.CCUnderHood],
    coordinator: [Level.Coord, Level.Director, Level.Admin],
  }
  const person = await db
    .selectFrom('account')
    .select(['access_level', 'first_name', 'last_name'])
    .where('program_id', '=', programId)
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!person) throw fail(evaluationFailures.person_gone, field)
  const allowed = levels[role]
  if (allowed && !allowed.includes(person.access_level)) {
    throw fail(
      evaluationFailures.wrong_role,
      { FirstName: person.first_name, LastName: person.last_name, Role: role },
      field,
    )
  }
}

/** A template that names student levels is for students of these levels, whether they fill it or it is about them. */
const expectLevel = async (
  db: Db,
  programId: number,
  template: contract.TemplateDetail,
  people: Readonly<Record<'EvaluatorId' | 'SubjectId', number | null>>,
): Promise<void> => {
  const ids = [people.EvaluatorId, people.SubjectId].filter((id) => id !== null)
  if (template.StudentLevelIds.length === 0 || ids.length === 0) return
  const students = await db
    .selectFrom('account as a')
    .leftJoin('student_level as l', (join) =>
      join.onRef('l.program_id', '=', 'a.program_id').onRef('l.id', '=', 'a.student_level_id'),
    )
    .select(['a.id', 'a.first_name', 'a.last_name', 'a.student_level_id', 'l.name as level'])
    .where('a.program_id', '=', programId)
    .where('a.id', 'in', ids)
    .where('a.access_level', '=', Level.Student)
    .execute()
  const other = students.find(({ student_level_id }) => !contract.isForLevel(template, student_level_id))
  if (other)
    throw fail(
      evaluationFailures.wrong_level,
      {
        Title: template.Title,
        FirstName: other.first_name,
        LastName: other.last_name,
        Level: other.level ?? 'none',
      },
      other.id === people.EvaluatorId ? 'EvaluatorId' : 'SubjectId',
    )
}

const assignmentRoutes = [
  handle(contract.searchEvaluations, ({ db, params, query, user }) =>
    searchEvaluations(db, params.programId, viewerOf(user), query),
  ),

  handle(contract.assignEvaluation, async (call) => {
    const {
      db,
      params: { programId },
      body,
      user,
      session,
      services,
      audit,
    } = call
    // Its anonymous link opens it to whoever has it, for longer than the session.
    if (body.EvaluatorId === null && !user.key) requireProof(session, { lasts: true })
    const template = await findTemplate(db, programId, body.TemplateId)
    if (!template) throw fail(evaluationFailures.no_template)
    await expectOffered(db, programId, template)
    if (template.IsAnonymous && body.EvaluatorId !== null) {
      throw fail(evaluationFailures.anonymous_evaluator, { Title: template.Title }, 'EvaluatorId')
    }
    const needsPerson = !['site', 'program'].includes(template.SubjectRole)
    if (needsPerson && body.SubjectId === null) throw fail(evaluationFailures.no_subject, 'SubjectId')
    if (template.SubjectRole === 'site' && body.SiteId === null)
      throw fail(evaluationFailures.no_subject_site, 'SiteId')
    if (body.EvaluatorId !== null)
      await expectRole(db, programId, body.EvaluatorId, template.EvaluatorRole, 'EvaluatorId')
    if (body.SubjectId !== null)
      await expectRole(db, programId, body.SubjectId, template.SubjectRole, 'SubjectId')
    if (template.SubjectRole === 'self' && body.EvaluatorId !== body.SubjectId) {
      throw fail(evaluationFailures.not_oneself, 'EvaluatorId')
    }
    await expectLevel(db, programId, template, body)
    if (body.EndDate !== null && body.EndDate < body.Date)
      throw fail(evaluationFailures.due_too_early, 'EndDate')
    const id = await addEvaluation(db, {
      program_id: programId,
      template_id: template.Id,
      evaluator_id: body.EvaluatorId,
      subject_id: body.SubjectId,
      site_id: body.SiteId,
      date: body.Date,
      end_date: dueDateOf(template, body),
      created_by: user.Id,
    })
    audit.detail = { EvaluationId: id, TemplateId: template.Id }
    if (body.SubjectId !== null) audit.subjectId = body.SubjectId
    const link =
      body.EvaluatorId === null
        ? (await addLink(db, services, { programId, evaluationId: id, by: user.Id })).link
        : `${services.publicUrl()}${services.config.appRoot}/new/evaluate/${id}`
    const row = await findEvaluationRow(db, programId, viewerOf(user), id)
    // It was added above, in this transaction.
    return { ...row!, Link: link }
  }),

  handle(contract.deleteEvaluations, async ({ db, params: { programId }, body }) => ({
    Removed: await deleteEvaluations(db, programId, body.Ids),
  })),

  handle(contract.remindEvaluators, async ({ db, params: { programId }, body, services }) => {
    const { rows } = await sql<{
      account_id: number
      email: string
      due: string | null
      evaluations: Remembered[]
    }>`
      select a.id as account_id, a.email, to_char(min(e.end_date), 'MM/DD/YYYY') as due,
        json_agg(json_build_object('Title', t.title, 'Due', e.end_date,
          'Subject', coalesce(u.first_name || ' ' || u.last_name, s.name, '')) order by e.end_date nulls last, e.id) as evaluations
      from evaluation e join account a on a.id = e.evaluator_id ${withNames}
      where e.program_id = ${programId} and e.id = any (${body.Ids}) and not e.is_completed and e.stopped_at is null and e.deleted_at is null
        and a.email <> '' and a.deactivated_at is null
      group by a.id, a.email`.execute(db)
    const address = `${services.publicUrl()}${services.config.appRoot}/new/evaluate`
    await queueTemplatedEmails(
      db,
      rows.map(({ account_id, email, due, evaluations }) => ({
        programId,
        accountId: account_id,
        label: 'EVALUATION_due',
        recipient: email,
        values: {
          'evaluation.count': String(evaluations.length),
          'evaluation.due': due ?? 'no date',
          'evaluation.list': evaluationList(evaluations),
          link: address,
        },
      })),
      { isAsked: true },
    )
    return { Emails: rows.length }
  }),
]

const fillingRoutes = [
  handle(contract.listOwnEvaluations, async ({ db, user, session }) =>
    session.programId === null
      ? { Waiting: [], Filled: [], AboutMe: [] }
      : listOwn(db, session.programId, viewerOf(user)),
  ),

  handle(contract.getAnswers, async ({ db, params, user, session }) => {
    const programId = programOf(session.programId)
    const kept = await findEvaluation(db, programId, params.evaluationId, { locks: false })
    if (!kept || !(await readable(db, programId, user, kept))) throw fail(evaluationFailures.no_evaluation)
    if (kept.is_anonymous) throw fail(evaluationFailures.anonymous_one_by_one)
    return formOf(db, programId, kept, { mayFill: kept.evaluator_id === user.Id })
  }),

  handle(contract.saveAnswers, async ({ db, params, body, user, session, audit }) => {
    const programId = programOf(session.programId)
    const kept = await findEvaluation(db, programId, params.evaluationId, { locks: true })
    if (!kept || kept.evaluator_id !== user.Id) throw fail(evaluationFailures.no_evaluation)
    audit.detail = { EvaluationId: kept.id, Answers: body.Answers.length, Submit: body.Submit }
    if (kept.subject_id !== null) audit.subjectId = kept.subject_id
    if (!(await isRepeat(db, programId, kept, body))) await keep(db, programId, kept, body)
    const after = await findEvaluation(db, programId, params.evaluationId, { locks: false })
    // It is locked since it was read above.
    return formOf(db, programId, after!, { mayFill: true })
  }),
]

/** An evaluation that waits for the caller: an inbox link opens no others, also none that they have filled. */
const findWaiting = async (
  db: Db,
  { programId, evaluationId }: { programId: number; evaluationId: number },
  user: User,
  locks: boolean,
): Promise<KeptEvaluation> => {
  const kept = await findEvaluation(db, programId, evaluationId, { locks })
  if (kept?.evaluator_id !== user.Id || kept.is_completed || kept.stopped_at !== null)
    throw fail(evaluationFailures.no_evaluation)
  return kept
}

const inboxRoutes = [
  handle(getInboxForm, async ({ db, params, user }) =>
    formOf(db, params.programId, await findWaiting(db, params, user, false), { mayFill: true }),
  ),

  handle(saveInboxForm, async ({ db, params, body, user, audit }) => {
    const kept = await findWaiting(db, params, user, true)
    audit.detail = { EvaluationId: kept.id, Answers: body.Answers.length, Submit: body.Submit }
    if (kept.subject_id !== null) audit.subjectId = kept.subject_id
    await keep(db, params.programId, kept, body)
    const after = await findEvaluation(db, params.programId, kept.id, { locks: false })
    // It is locked since it was read above.
    return formOf(db, params.programId, after!, { mayFill: true })
  }),
]

/** The evaluation behind a link; guessing is throttled by address. */
const openLink = async (db: Db, services: Services, token: string, address: string, locks: boolean) => {
  await throttle(services.pool, [{ key: `evaluation-link:${address}`, max: 600, windowSeconds: 600 }])
  const found = await findByToken(db, hashToken(token))
  if (!found) throw fail(evaluationFailures.link_over)
  await workOn(db, [found.program_id])
  if (locks) await holdPeople(db, found.program_id)
  const kept = await findEvaluation(db, found.program_id, found.evaluation_id, { locks })
  if (!kept) throw fail(evaluationFailures.no_evaluation)
  return { programId: found.program_id, kept }
}

const anonymousRoutes = [
  handle(contract.getAnonymousForm, async ({ db, params, services, from }) => {
    const { programId, kept } = await openLink(db, services, params.token, from.address, false)
    return formOf(db, programId, kept, { mayFill: true })
  }),

  handle(contract.saveAnonymousAnswers, async ({ db, params, body, services, from }) => {
    const { programId, kept } = await openLink(db, services, params.token, from.address, true)
    await keep(db, programId, kept, body)
    const after = await findEvaluation(db, programId, kept.id, { locks: false })
    // It is locked since it was read above.
    return formOf(db, programId, after!, { mayFill: true, given: body })
  }),
]

export const evaluationRoutes = [...assignmentRoutes, ...fillingRoutes, ...inboxRoutes, ...anonymousRoutes]
