import * as contract from '#contract/evaluations/evaluations.ts'
import { evaluationFailures } from '#contract/evaluations/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanHtml } from '#server/core/http/html.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addTemplate, changeTemplate, setTemplateActive, setTemplateDeleted } from './templates.commands.ts'
import { findForDesign, findTemplate, inputOf, listTemplates, searchTemplates } from './templates.queries.ts'

const getTemplate = async (
  db: Db,
  programId: number,
  templateId: number,
): Promise<contract.TemplateDetail> => {
  const template = await findTemplate(db, programId, templateId)
  if (!template) throw fail(evaluationFailures.no_template)
  return template
}

const expectFormType = async (db: Db, programId: number, formTypeId: number): Promise<void> => {
  const there = await db
    .selectFrom('form_type')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', formTypeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!there) throw fail(evaluationFailures.form_type_gone, 'FormTypeId')
}

const expectLevels = async (db: Db, programId: number, levels: readonly number[]): Promise<void> => {
  if (levels.length === 0) return
  const there = await db
    .selectFrom('student_level')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', 'in', levels)
    .execute()
  if (there.length < new Set(levels).size) throw fail(evaluationFailures.level_gone, 'StudentLevelIds')
}

/** The faculty and coordinators named are of the program; foreign ids answer as if they did not exist. */
const expectPeople = async (db: Db, programId: number, people: readonly number[]): Promise<void> => {
  if (people.length === 0) return
  const there = await db
    .selectFrom('account')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', 'in', people)
    .where('deleted_at', 'is', null)
    .execute()
  if (there.length < new Set(people).size) throw fail(evaluationFailures.people_gone, 'MakePersonIds')
}

/** The settings as they are kept: a form that anyone with its link answers is anonymous. */
const keptSettings = <Settings extends contract.TemplateSettings>(body: Settings): Settings => ({
  ...body,
  Instructions: cleanHtml(body.Instructions),
  IsAnonymous: body.IsAnonymous || body.EvaluatorRole === 'anonymous',
})

const makeTemplate = async (
  db: Db,
  programId: number,
  body: contract.TemplateValues,
  userId: number,
): Promise<number> => {
  if (body.FormTypeId !== null) await expectFormType(db, programId, body.FormTypeId)
  await expectLevels(db, programId, body.StudentLevelIds)
  await expectPeople(db, programId, body.MakePersonIds)
  return addTemplate(db, programId, userId, keptSettings(body))
}

/** Whoever answered did so under the promise of anonymity, or as the person asked: that does not change afterwards. */
const refuseOtherPeople = (before: contract.TemplateDetail, after: contract.TemplateSettings): void => {
  if (before.EvaluationCount === 0) return
  const fixed = (['IsAnonymous', 'EvaluatorRole', 'SubjectRole'] as const).find(
    (name) => before[name] !== after[name],
  )
  if (!fixed) return
  const made =
    before.EvaluationCount === 1 ? '1 evaluation was' : `${before.EvaluationCount} evaluations were`
  throw fail(evaluationFailures.template_in_use, { Made: made, Title: before.Title }, fixed)
}

const setDeleted = async (
  db: Db,
  { programId, templateId: id }: { programId: number; templateId: number },
  isDeleted: boolean,
): Promise<void> => {
  if (!(await setTemplateDeleted(db, { programId, id }, isDeleted)))
    throw fail(evaluationFailures.no_template)
}

/** What a rule consists of. */
const ruleNames: ReadonlySet<string> = new Set<keyof contract.TemplateSettings>([
  'IsAutomatic',
  'AutomaticFrom',
  'MakeOn',
  'MakeDays',
  'MakeDate',
  'MakeEach',
  'MakePersonIds',
  'StudentLevelIds',
])

export const templateRoutes = [
  handle(contract.listEvaluationTemplates, ({ db, params }) => listTemplates(db, params.programId)),
  handle(contract.searchEvaluationTemplates, ({ db, params }) => searchTemplates(db, params.programId)),
  handle(contract.getEvaluationTemplate, ({ db, params }) =>
    getTemplate(db, params.programId, params.templateId),
  ),

  handle(contract.createEvaluationTemplate, async ({ db, params: { programId }, body, user, audit }) => {
    const id = await makeTemplate(db, programId, body, user.Id)
    audit.detail = { TemplateId: id, Title: body.Title }
    return getTemplate(db, programId, id)
  }),

  handle(
    contract.updateEvaluationTemplate,
    async ({ db, params: { programId, templateId }, body: sent, audit }) => {
      const before = await findForDesign(db, programId, templateId)
      if (!before) throw fail(evaluationFailures.no_template)
      const body = keptSettings(sent)
      refuseOtherPeople(before, body)
      if (body.FormTypeId !== null) await expectFormType(db, programId, body.FormTypeId)
      await expectLevels(db, programId, body.StudentLevelIds)
      await expectPeople(db, programId, body.MakePersonIds)
      const names = Object.keys(body) as (keyof typeof body)[]
      const changed = names.filter((name) => String(body[name]) !== String(before[name]))
      audit.detail = {
        Before: Object.fromEntries(changed.map((name) => [name, String(before[name] ?? '').slice(0, 200)])),
        After: Object.fromEntries(changed.map((name) => [name, String(body[name] ?? '').slice(0, 200)])),
      }
      const isOtherRule = changed.some((name) => ruleNames.has(name))
      await changeTemplate(db, { programId, id: templateId }, body, { isOtherRule })
      return getTemplate(db, programId, templateId)
    },
  ),

  handle(contract.copyEvaluationTemplate, async ({ db, params: { programId, templateId }, user, audit }) => {
    const source = await findForDesign(db, programId, templateId)
    if (!source) throw fail(evaluationFailures.no_template)
    const Title = `${source.Title.slice(0, 248)} (copy)`
    const id = await makeTemplate(db, programId, { ...inputOf(source), Title }, user.Id)
    audit.detail = { From: templateId, TemplateId: id }
    return getTemplate(db, programId, id)
  }),

  handle(contract.setTemplateActive, async ({ db, params: { programId, templateId }, query }) => {
    await getTemplate(db, programId, templateId)
    await setTemplateActive(db, { programId, id: templateId }, query.value)
  }),

  handle(contract.deleteEvaluationTemplate, ({ db, params }) => setDeleted(db, params, true)),
  handle(contract.restoreEvaluationTemplate, ({ db, params }) => setDeleted(db, params, false)),
]
