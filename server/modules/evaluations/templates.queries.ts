import { sql } from 'kysely'
import { addDays } from '#contract/core/calendar.ts'
import type { TemplateDetail, TemplateRow, TemplateValues } from '#contract/evaluations/evaluations.ts'
import { evaluationFailures } from '#contract/evaluations/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'

export const listTemplates = (db: Db, programId: number) =>
  db
    .selectFrom('evaluation_template')
    .select(['id as Id', 'title as Title'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(title)`)
    .orderBy('id')
    .execute()

const levelIds = sql`coalesce((select json_agg(l.level_id order by l.level_id) from evaluation_template_level l
  where l.program_id = t.program_id and l.template_id = t.id), '[]')`

const personIds = sql`coalesce((select json_agg(p.account_id order by p.account_id) from evaluation_template_person p
  join account a on a.program_id = p.program_id and a.id = p.account_id and a.deleted_at is null
  where p.program_id = t.program_id and p.template_id = t.id), '[]')`

const itemCount = sql`(select count(*) from evaluation_item i
  join evaluation_category c on c.program_id = i.program_id and c.id = i.category_id and c.deleted_at is null
  where i.program_id = t.program_id and i.template_id = t.id and i.deleted_at is null)`

export const searchTemplates = async (db: Db, programId: number): Promise<TemplateRow[]> => {
  const { rows } = await sql<TemplateRow>`
    select t.id as "Id", t.title as "Title", f.name as "FormType", t.evaluator_role as "EvaluatorRole",
      t.subject_role as "SubjectRole", t.is_anonymous as "IsAnonymous", t.is_active as "IsActive",
      t.is_automatic as "IsAutomatic", ${levelIds} as "StudentLevelIds", t.is_active and coalesce(f.view_on_form, true) and ${itemCount} > 0 as "IsOffered",
      ${itemCount} as "ItemCount",
      (select count(*) from evaluation e where e.program_id = t.program_id and e.template_id = t.id and e.deleted_at is null) as "EvaluationCount"
    from evaluation_template t
    left join form_type f on f.program_id = t.program_id and f.id = t.form_type_id and f.deleted_at is null
    where t.program_id = ${programId} and t.deleted_at is null order by lower(t.title), t.id`.execute(db)
  return rows
}

/** Whether a template is of a form type that is not shown. */
export const isHiddenByFormType = async (db: Db, programId: number, formTypeId: number): Promise<boolean> => {
  const hidden = await db
    .selectFrom('form_type')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', formTypeId)
    .where('deleted_at', 'is', null)
    .where('view_on_form', '=', false)
    .executeTakeFirst()
  return Boolean(hidden)
}

/**
 * A template with everything in it, in the order of its form; deleted ones too, because evaluations were made from them.
 * A score type that was deleted is on the form as long as an item uses it.
 */
export const findTemplate = async (
  db: Db,
  programId: number,
  templateId: number,
): Promise<TemplateDetail | undefined> => {
  const { rows } = await sql<TemplateDetail>`
    with item as (
      select i.*, c.position as category_position from evaluation_item i
      join evaluation_category c on c.program_id = i.program_id and c.id = i.category_id and c.deleted_at is null
      where i.program_id = ${programId} and i.template_id = ${templateId} and i.deleted_at is null
    )
    select t.id as "Id", t.title as "Title", t.form_type_id as "FormTypeId", t.evaluator_role as "EvaluatorRole",
      t.subject_role as "SubjectRole", t.instructions as "Instructions", t.is_anonymous as "IsAnonymous", t.is_active as "IsActive",
      t.is_shown_to_subject as "IsShownToSubject", t.due_rule as "DueRule", t.due_days as "DueDays", t.due_date as "DueDate",
      t.is_automatic as "IsAutomatic", t.automatic_from as "AutomaticFrom", t.make_on as "MakeOn", t.make_days as "MakeDays",
      t.make_date as "MakeDate", t.make_each as "MakeEach", ${personIds} as "MakePersonIds", t.remind_before as "RemindBefore",
      t.remind_on_day as "RemindOnDay", t.remind_every as "RemindEvery", t.remind_most as "RemindMost",
      t.escalate_after as "EscalateAfter", t.may_be_asked as "MayBeAsked",
      ${levelIds} as "StudentLevelIds", (select count(*) from evaluation e where e.program_id = t.program_id and e.template_id = t.id and e.deleted_at is null) as "EvaluationCount",
      coalesce((select json_agg(json_build_object('Id', s.id, 'Title', s.title, 'IsDeleted', s.deleted_at is not null, 'Values',
          coalesce((select json_agg(json_build_object('Id', v.id, 'Label', v.label, 'Value', v.value,
              'IsNotApplicable', v.is_not_applicable, 'NeedsComment', v.needs_comment) order by v.position, v.id)
            from score_value v where v.program_id = s.program_id and v.score_type_id = s.id and v.deleted_at is null), '[]')) order by s.id)
        from score_type s where s.program_id = t.program_id and s.template_id = t.id
          and (s.deleted_at is null or s.id in (select score_type_id from item))), '[]') as "ScoreTypes",
      coalesce((select json_agg(json_build_object('Id', g.id, 'Name', g.name, 'IsMandatory', g.is_mandatory) order by g.id)
        from item_group g where g.program_id = t.program_id and g.template_id = t.id and g.deleted_at is null), '[]') as "Groups",
      coalesce((select json_agg(json_build_object('Id', c.id, 'Name', c.name) order by c.position, c.id)
        from evaluation_category c
        where c.program_id = t.program_id and c.template_id = t.id and c.deleted_at is null), '[]') as "Categories",
      coalesce((select json_agg(json_build_object('Id', i.id, 'CategoryId', i.category_id, 'Kind', i.kind, 'Text', i.text,
          'ScoreTypeId', i.score_type_id, 'GroupId', g.id, 'InputType', i.input_type, 'Choices', to_json(i.choices),
          'IsMandatory', i.is_mandatory) order by i.category_position, i.category_id, i.position, i.id)
        from item i left join item_group g
          on g.program_id = i.program_id and g.id = i.group_id and g.deleted_at is null), '[]') as "Items"
    from evaluation_template t where t.program_id = ${programId} and t.id = ${templateId}`.execute(db)
  return rows[0]
}

/** A template as it would be sent to make another one like it; what is deleted stays behind. */
export const inputOf = (template: TemplateDetail): TemplateValues => {
  const at = (list: readonly { Id: number }[], id: number | null): number =>
    list.findIndex(({ Id }) => Id === id)
  const orNull = (index: number): number | null => (index < 0 ? null : index)
  return {
    Title: template.Title,
    FormTypeId: template.FormTypeId,
    EvaluatorRole: template.EvaluatorRole,
    SubjectRole: template.SubjectRole,
    Instructions: template.Instructions,
    IsAnonymous: template.IsAnonymous,
    IsActive: template.IsActive,
    IsShownToSubject: template.IsShownToSubject,
    DueRule: template.DueRule,
    DueDays: template.DueDays,
    DueDate: template.DueDate,
    StudentLevelIds: template.StudentLevelIds,
    // A copy makes nothing by itself before somebody has looked at it.
    IsAutomatic: false,
    AutomaticFrom: template.AutomaticFrom,
    MakeOn: template.MakeOn,
    MakeDays: template.MakeDays,
    MakeDate: template.MakeDate,
    MakeEach: template.MakeEach,
    MakePersonIds: template.MakePersonIds,
    RemindBefore: template.RemindBefore,
    RemindOnDay: template.RemindOnDay,
    RemindEvery: template.RemindEvery,
    RemindMost: template.RemindMost,
    EscalateAfter: template.EscalateAfter,
    MayBeAsked: template.MayBeAsked,
    ScoreTypes: template.ScoreTypes,
    Groups: template.Groups,
    Categories: template.Categories,
    Items: template.Items.filter(({ Kind }) => Kind === 'scored').map((item) => ({
      Category: at(template.Categories, item.CategoryId),
      Text: item.Text,
      ScoreType: at(template.ScoreTypes, item.ScoreTypeId),
      Group: orNull(at(template.Groups, item.GroupId)),
      IsMandatory: item.IsMandatory,
    })),
    FibItems: template.Items.filter(({ Kind }) => Kind === 'fib').map((item) => ({
      Category: at(template.Categories, item.CategoryId),
      Text: item.Text,
      InputType: item.InputType ?? 'long',
      Choices: item.Choices,
      ScoreType: orNull(at(template.ScoreTypes, item.ScoreTypeId)),
      IsMandatory: item.IsMandatory,
    })),
  }
}

/**
 * A template that is about to be designed, locked so that two people do not give two items the same place; nothing for deleted
 * ones.
 */
export const findForDesign = async (
  db: Db,
  programId: number,
  templateId: number,
): Promise<TemplateDetail | undefined> => {
  const there = await db
    .selectFrom('evaluation_template')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', templateId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return there && findTemplate(db, programId, templateId)
}

/** @throws Failure 422 when a template cannot be asked for: inactive, without items, or of a hidden form type */
export const expectOffered = async (db: Db, programId: number, template: TemplateDetail): Promise<void> => {
  if (!template.IsActive) throw fail(evaluationFailures.inactive, { Title: template.Title }, 'TemplateId')
  if (template.Items.length === 0)
    throw fail(evaluationFailures.no_items, { Title: template.Title }, 'TemplateId')
  if (template.FormTypeId !== null && (await isHiddenByFormType(db, programId, template.FormTypeId)))
    throw fail(evaluationFailures.hidden_form_type, { Title: template.Title }, 'TemplateId')
}

/** When an evaluation of this day is due, by its template unless it is said. */
export const dueDateOf = (
  template: TemplateDetail,
  body: { Date: string; EndDate: string | null },
): string | null => {
  if (body.EndDate) return body.EndDate
  if (template.DueRule === 'fixed') return template.DueDate
  if (template.DueRule === 'none') return null
  return addDays(body.Date, template.DueDays)
}
