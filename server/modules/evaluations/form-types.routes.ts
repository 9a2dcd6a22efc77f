import { sql } from 'kysely'
import { evaluationFailures } from '#contract/evaluations/failures.ts'
import * as contract from '#contract/evaluations/form-types.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addFormType, changeFormType, setFormTypeDeleted } from './form-types.commands.ts'

const formTypes = (db: Db, programId: number) =>
  db
    .selectFrom('form_type as f')
    .select(['f.id as Id', 'f.name as Name', 'f.view_on_form as ViewOnForm'])
    .select(
      sql<number>`(select count(*) from evaluation_template t where t.program_id = f.program_id
        and t.form_type_id = f.id and t.deleted_at is null)`.as('TemplateCount'),
    )
    .where('f.program_id', '=', programId)

const getFormType = async (db: Db, programId: number, formTypeId: number): Promise<contract.FormType> => {
  const type = await formTypes(db, programId)
    .where('f.id', '=', formTypeId)
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!type) throw fail(evaluationFailures.no_form_type)
  return type
}

const refuseTakenName = async (db: Db, programId: number, name: string, exceptId: number): Promise<void> => {
  const taken = await db
    .selectFrom('form_type')
    .select('id')
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  if (taken) throw fail(evaluationFailures.name_taken, { Name: name }, 'Name')
}

export const formTypeRoutes = [
  handle(contract.listFormTypes, ({ db, params }) =>
    formTypes(db, params.programId).where('f.deleted_at', 'is', null).orderBy(sql`lower(f.name)`).execute(),
  ),

  handle(contract.createFormType, async ({ db, params: { programId }, body }) => {
    await refuseTakenName(db, programId, body.Name, 0)
    return getFormType(db, programId, await addFormType(db, programId, body))
  }),

  handle(contract.updateFormType, async ({ db, params: { programId, formTypeId }, body, audit }) => {
    const before = await getFormType(db, programId, formTypeId)
    await refuseTakenName(db, programId, body.Name, formTypeId)
    audit.detail = { Before: before, After: body }
    await changeFormType(db, { programId, id: formTypeId }, body)
    return { ...before, ...body }
  }),

  handle(contract.deleteFormType, async ({ db, params: { programId, formTypeId }, audit }) => {
    const { Name, TemplateCount } = await getFormType(db, programId, formTypeId)
    if (TemplateCount > 0) {
      const templates = TemplateCount === 1 ? '1 template is' : `${TemplateCount} templates are`
      throw fail(evaluationFailures.form_type_in_use, { Name, Templates: templates })
    }
    audit.detail = { Name }
    await setFormTypeDeleted(db, { programId, id: formTypeId }, true)
  }),

  handle(contract.restoreFormType, async ({ db, params: { programId, formTypeId } }) => {
    const deleted = await formTypes(db, programId)
      .where('f.id', '=', formTypeId)
      .where('f.deleted_at', 'is not', null)
      .executeTakeFirst()
    if (!deleted) throw fail(evaluationFailures.no_form_type)
    await refuseTakenName(db, programId, deleted.Name, formTypeId)
    await setFormTypeDeleted(db, { programId, id: formTypeId }, false)
    return deleted
  }),
]
