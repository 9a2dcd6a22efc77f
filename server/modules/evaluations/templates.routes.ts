import { sql } from 'kysely'
import * as contract from '#contract/evaluations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { conflict, notFound } from '#server/core/failure.ts'
import { handle } from '#server/core/handle.ts'
import { cleanHtml } from '#server/core/html.ts'
import {
  countEvaluations,
  deleteParts,
  findTemplate,
  insertParts,
  listTemplates,
  searchTemplates,
  templateValues,
} from './templates.queries.ts'

const getTemplate = async (
  db: Db,
  programId: number,
  templateId: number,
): Promise<contract.TemplateDetail> => {
  const template = await findTemplate(db, programId, templateId)
  if (!template) throw notFound('This template')
  return template
}

const setDeleted = async (
  db: Db,
  programId: number,
  templateId: number,
  isDeleted: boolean,
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('evaluation_template')
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('id', '=', templateId)
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notFound('This template')
}

export const templateRoutes = [
  handle(contract.listEvaluationTemplates, ({ db, params }) => listTemplates(db, params.programId)),
  handle(contract.searchEvaluationTemplates, ({ db, params }) => searchTemplates(db, params.programId)),
  handle(contract.getEvaluationTemplate, ({ db, params }) =>
    getTemplate(db, params.programId, params.templateId),
  ),

  handle(contract.createEvaluationTemplate, async ({ db, params: { programId }, body, user, audit }) => {
    const values = { ...body, Instructions: cleanHtml(body.Instructions) }
    const { id } = await db
      .insertInto('evaluation_template')
      .values({ program_id: programId, created_by: user.Id, ...templateValues(values) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await insertParts(db, programId, id, values)
    audit.detail = { TemplateId: id, Title: body.Title }
    return getTemplate(db, programId, id)
  }),

  handle(
    contract.updateEvaluationTemplate,
    async ({ db, params: { programId, templateId }, body, audit }) => {
      const before = await getTemplate(db, programId, templateId)
      const made = await countEvaluations(db, programId, templateId)
      if (made > 0) {
        const count = made === 1 ? '1 evaluation was' : `${made} evaluations were`
        throw conflict(
          'in_use',
          `${count} made from ${before.Title}, so its questions stay as they are. Copy it into a new template.`,
        )
      }
      const values = { ...body, Instructions: cleanHtml(body.Instructions) }
      audit.detail = { Before: { Title: before.Title }, After: { Title: body.Title } }
      await db
        .updateTable('evaluation_template')
        .set(templateValues(values))
        .where('program_id', '=', programId)
        .where('id', '=', templateId)
        .execute()
      await deleteParts(db, programId, templateId)
      await insertParts(db, programId, templateId, values)
      return getTemplate(db, programId, templateId)
    },
  ),

  handle(contract.setTemplateActive, async ({ db, params: { programId, templateId }, query }) => {
    await getTemplate(db, programId, templateId)
    await db
      .updateTable('evaluation_template')
      .set({ is_active: query.value })
      .where('program_id', '=', programId)
      .where('id', '=', templateId)
      .execute()
  }),

  handle(contract.deleteEvaluationTemplate, ({ db, params }) =>
    setDeleted(db, params.programId, params.templateId, true),
  ),
  handle(contract.restoreEvaluationTemplate, ({ db, params }) =>
    setDeleted(db, params.programId, params.templateId, false),
  ),

  handle(contract.listFormTypes, ({ db, params }) =>
    db
      .selectFrom('form_type')
      .select(['id as Id', 'name as Name', 'view_on_form as ViewOnForm'])
      .where('program_id', '=', params.programId)
      .where('deleted_at', 'is', null)
      .orderBy(sql`lower(name)`)
      .execute(),
  ),
]
