import { sql } from 'kysely'
import type { TemplateSettings, TemplateValues } from '#contract/evaluations/evaluations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

/** The template's own columns. */
const values = (input: TemplateSettings) => ({
  title: input.Title,
  form_type_id: input.FormTypeId,
  evaluator_role: input.EvaluatorRole,
  subject_role: input.SubjectRole,
  instructions: input.Instructions,
  is_anonymous: input.IsAnonymous,
  is_active: input.IsActive,
  is_shown_to_subject: input.IsShownToSubject,
  due_rule: input.DueRule,
  due_days: input.DueDays,
  due_date: input.DueDate,
  is_automatic: input.IsAutomatic,
  automatic_from: input.AutomaticFrom,
  make_on: input.MakeOn,
  make_days: input.MakeDays,
  make_date: input.MakeDate,
  make_each: input.MakeEach,
  remind_before: input.RemindBefore,
  remind_on_day: input.RemindOnDay,
  remind_every: input.RemindEvery,
  remind_most: input.RemindMost,
  escalate_after: input.EscalateAfter,
  may_be_asked: input.MayBeAsked,
})

/** Makes these the people whom the rule of a template names. */
const saveTemplatePeople = async (
  db: Db,
  programId: number,
  templateId: number,
  people: readonly number[],
): Promise<void> => {
  await sql`with gone as (delete from evaluation_template_person where program_id = ${programId}
      and template_id = ${templateId} and account_id <> all (${[...people]}::bigint[]))
    insert into evaluation_template_person (program_id, template_id, account_id)
    select ${programId}, ${templateId}, p from unnest(${[...people]}::bigint[]) p on conflict do nothing`.execute(
    db,
  )
}

/** Makes these the levels that a template is for; every one of them is a level of the program. */
const saveTemplateLevels = async (
  db: Db,
  programId: number,
  templateId: number,
  levels: readonly number[],
): Promise<void> => {
  await sql`with gone as (delete from evaluation_template_level where program_id = ${programId}
      and template_id = ${templateId} and level_id <> all (${levels}::smallint[]))
    insert into evaluation_template_level (program_id, template_id, level_id)
    select ${programId}, ${templateId}, l from unnest(${levels}::smallint[]) l on conflict do nothing`.execute(
    db,
  )
}

const insertAll = async (
  db: Db,
  table: 'score_type' | 'item_group' | 'evaluation_category',
  rows: { program_id: number; template_id: number }[],
): Promise<number[]> => {
  if (rows.length === 0) return []
  const made = await db.insertInto(table).values(rows).returning('id').execute()
  // RETURNING keeps the order of VALUES; ids grow with it.
  return made.map(({ id }) => id).toSorted((a, b) => a - b)
}

/** Writes the parts of a template, which has none: score types with values, groups, categories, items. */
const insertParts = async (
  db: Db,
  programId: number,
  templateId: number,
  body: TemplateValues,
): Promise<void> => {
  const own = { program_id: programId, template_id: templateId }
  const scoreTypes = await insertAll(
    db,
    'score_type',
    body.ScoreTypes.map(({ Title }) => ({ ...own, title: Title })),
  )
  const scores = body.ScoreTypes.flatMap((type, index) =>
    type.Values.map((value, position) => ({
      program_id: programId,
      score_type_id: scoreTypes[index]!,
      label: value.Label,
      value: value.IsNotApplicable ? null : value.Value,
      position: position + 1,
      is_not_applicable: value.IsNotApplicable,
      needs_comment: value.NeedsComment,
    })),
  )
  if (scores.length > 0) await db.insertInto('score_value').values(scores).execute()
  const groups = await insertAll(
    db,
    'item_group',
    body.Groups.map(({ Name, IsMandatory }) => ({ ...own, name: Name, is_mandatory: IsMandatory })),
  )
  const categories = await insertAll(
    db,
    'evaluation_category',
    body.Categories.map(({ Name }, index) => ({ ...own, name: Name, position: index + 1 })),
  )
  const items = [
    ...body.Items.map((item, index) => ({
      ...own,
      category_id: categories[item.Category]!,
      kind: 'scored',
      position: index + 1,
      text: item.Text,
      score_type_id: scoreTypes[item.ScoreType]!,
      group_id: item.Group === null ? null : groups[item.Group]!,
      input_type: null,
      choices: [] as string[],
      is_mandatory: item.IsMandatory,
    })),
    ...body.FibItems.map((item, index) => ({
      ...own,
      category_id: categories[item.Category]!,
      kind: 'fib',
      position: body.Items.length + index + 1,
      text: item.Text,
      score_type_id: item.ScoreType === null ? null : scoreTypes[item.ScoreType]!,
      group_id: null,
      input_type: item.InputType,
      choices: item.Choices,
      is_mandatory: item.IsMandatory,
    })),
  ]
  if (items.length > 0) await db.insertInto('evaluation_item').values(items).execute()
}

/** Adds a template with all its parts; answers its id. */
export const addTemplate = async (
  db: Db,
  programId: number,
  accountId: number,
  input: TemplateValues,
): Promise<number> => {
  const id = await addRow(db, 'evaluation_template', {
    program_id: programId,
    created_by: accountId,
    ...values(input),
  })
  await saveTemplateLevels(db, programId, id, input.StudentLevelIds)
  await saveTemplatePeople(db, programId, id, input.MakePersonIds)
  await insertParts(db, programId, id, input)
  return id
}

/** Changes a template, not its parts. Another rule is looked at from its first day on; what it made already is there. */
export const changeTemplate = async (
  db: Db,
  key: RowKey,
  input: TemplateSettings,
  { isOtherRule }: { isOtherRule: boolean },
): Promise<void> => {
  await changeRow(db, 'evaluation_template', key, {
    ...values(input),
    ...(isOtherRule && { made_through: null }),
  })
  await saveTemplateLevels(db, key.programId, key.id, input.StudentLevelIds)
  await saveTemplatePeople(db, key.programId, key.id, input.MakePersonIds)
}

export const setTemplateActive = (db: Db, key: RowKey, isActive: boolean): Promise<boolean> =>
  changeRow(db, 'evaluation_template', key, { is_active: isActive })

export const setTemplateDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'evaluation_template', key, isDeleted)
