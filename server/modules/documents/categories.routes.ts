import * as contract from '#contract/documents/documents.ts'
import { documentFailures } from '#contract/documents/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addCategory, deleteCategory, renameCategory, restoreCategory } from './categories.commands.ts'
import {
  findCategory,
  findDeletedCategory,
  isCategoryNameTaken,
  listCategories,
} from './categories.queries.ts'

const missing = () => fail(documentFailures.no_document_category)

const getCategory = async (
  db: Db,
  programId: number,
  categoryId: number,
): Promise<contract.DocumentCategory> => {
  const category = await findCategory(db, programId, categoryId)
  if (!category) throw missing()
  return category
}

const refuseTakenName = async (db: Db, programId: number, name: string, exceptId = 0): Promise<void> => {
  if (await isCategoryNameTaken(db, programId, name, exceptId))
    throw fail(documentFailures.name_taken, { Name: name })
}

export const documentCategoryRoutes = [
  handle(contract.listDocumentCategories, ({ db, params }) => listCategories(db, params.programId)),

  handle(contract.createDocumentCategory, async ({ db, params: { programId }, body, user }) => {
    await refuseTakenName(db, programId, body.Name)
    return getCategory(db, programId, await addCategory(db, programId, user.Id, body.Name))
  }),

  handle(contract.updateDocumentCategory, async ({ db, params: { programId, categoryId }, body, audit }) => {
    const before = await getCategory(db, programId, categoryId)
    await refuseTakenName(db, programId, body.Name, categoryId)
    audit.detail = { CategoryId: categoryId, Before: before.Name, After: body.Name }
    await renameCategory(db, { programId, id: categoryId }, body.Name)
    return getCategory(db, programId, categoryId)
  }),

  handle(contract.deleteDocumentCategory, async ({ db, params: { programId, categoryId }, audit }) => {
    const { Name } = await getCategory(db, programId, categoryId)
    const documents = await deleteCategory(db, programId, categoryId)
    audit.detail = { CategoryId: categoryId, Name, Documents: documents }
  }),

  handle(contract.restoreDocumentCategory, async ({ db, params: { programId, categoryId }, audit }) => {
    const deleted = await findDeletedCategory(db, programId, categoryId)
    if (!deleted) throw missing()
    if (await isCategoryNameTaken(db, programId, deleted.name, categoryId))
      throw fail(documentFailures.name_taken_again, { Name: deleted.name })
    if (deleted.takenFile !== null)
      throw fail(documentFailures.file_taken_again, { FileName: deleted.takenFile })
    await restoreCategory(db, programId, categoryId)
    audit.detail = { CategoryId: categoryId, Name: deleted.name }
    return getCategory(db, programId, categoryId)
  }),
]
