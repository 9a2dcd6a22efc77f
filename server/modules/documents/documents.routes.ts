import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import * as contract from '#contract/documents/documents.ts'
import { maxDocumentFileBytes, readAccess, tidyReaders } from '#contract/documents/documents-rules.ts'
import { documentFailures } from '#contract/documents/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import { sentFile, storeDocumentFile } from '#server/core/files/stored-files.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyPeople, queueNotices } from '#server/core/mail/notices.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findCategory } from './categories.queries.ts'
import { addDocument, changeDocument, saveReaders, setDocumentDeleted } from './documents.commands.ts'
import {
  type DocumentRow,
  findDocument,
  findDocumentByFile,
  findDocumentFile,
  findReaders,
  listDocuments,
  listToldReaders,
  pageLibrary,
  searchDocuments,
} from './documents.queries.ts'

const missing = () => fail(documentFailures.no_document)

/** A document with the address of its file. */
const withUrl = <Row extends { Id: number }>(services: Services, programId: number, row: Row) => ({
  ...row,
  Url: `${services.config.appRoot}/new/api/programs/${programId}/documents/${row.Id}/file`,
})

const getDocument = async (db: Db, programId: number, documentId: number): Promise<DocumentRow> => {
  const document = await findDocument(db, programId, documentId)
  if (!document) throw missing()
  return document
}

/** A name of a file, without folders. */
const plainName = (name: string): string => name.replace(/^.*[\\/]/, '').trim()

const refuseTakenFile = async (db: Db, programId: number, fileName: string, exceptId = 0): Promise<void> => {
  if (await findDocumentByFile(db, programId, fileName, exceptId))
    throw fail(documentFailures.file_taken, { FileName: fileName })
}

const expectCategory = async (db: Db, programId: number, categoryId: number): Promise<void> => {
  if (!(await findCategory(db, programId, categoryId)))
    throw fail(documentFailures.category_gone, 'CategoryId')
}

/** The readers that the input names; those it has already may stay, whatever became of their site or level. */
const readersOf = async (db: Db, programId: number, body: contract.DocumentValues, before?: DocumentRow) => {
  const readers = tidyReaders({
    // The input was checked, so its access can be read.
    Roles: readAccess(body.Access)!,
    SiteIds: [...new Set(body.SiteIds)],
    StudentLevelIds: [...new Set(body.StudentLevelIds)],
  })
  const there = await findReaders(db, programId, readers)
  const known = { sites: new Set(there.sites), levels: new Set(there.levels) }
  for (const id of before?.SiteIds ?? []) known.sites.add(id)
  for (const id of before?.StudentLevelIds ?? []) known.levels.add(id)
  if (!readers.SiteIds.every((id) => known.sites.has(id))) throw fail(documentFailures.site_gone, 'SiteIds')
  if (!readers.StudentLevelIds.every((id) => known.levels.has(id)))
    throw fail(documentFailures.student_level_gone, 'StudentLevelIds')
  return readers
}

/** The file as readers will get it: under the name the input gives, else the one it was sent with. */
const namedFile = (file: ReceivedFile, given: string): ReceivedFile => ({
  ...file,
  name: plainName(given) || file.name || 'Document',
})

/** Tells everyone whom a new document is for, except who added it: within the product, and in the next digest. */
const notifyReaders = async (db: Db, programId: number, documentId: number, byId: number): Promise<void> => {
  const readers = await listToldReaders(db, programId, documentId, byId)
  await notifyPeople(
    db,
    programId,
    readers.map(({ accountId, level, line }) => ({
      accountId,
      kind: 'document_added',
      text: `Document added: ${line}`,
      link: level >= Level.Faculty ? '/new/admin/document-library' : '/new/documents',
    })),
  )
  await queueNotices(
    db,
    programId,
    readers.map(({ accountId, line }) => ({
      accountId,
      label: 'DOCUMENT_added',
      key: `document:${documentId}`,
      line,
    })),
  )
}

/** What the audit keeps of a document. */
const told = ({ Id, CategoryId, Name, Filename, Access, SiteIds, StudentLevelIds }: DocumentRow) => ({
  DocumentId: Id,
  CategoryId,
  Name,
  Filename,
  Access,
  Sites: SiteIds.length,
  StudentLevelIds,
})

export const documentRoutes = [
  handle(contract.listDocuments, async ({ db, params: { programId }, services }) =>
    (await listDocuments(db, programId)).map((row) => withUrl(services, programId, row)),
  ),

  handle(contract.searchDocuments, async ({ db, params: { programId }, query, services }) => {
    const page = await searchDocuments(db, programId, query)
    return { ...page, Items: page.Items.map((row) => withUrl(services, programId, row)) }
  }),

  handle(contract.listLibrary, async ({ db, params: { programId }, query, user, services }) => {
    const page = await pageLibrary(db, programId, user, query)
    return { ...page, Items: page.Items.map((row) => withUrl(services, programId, row)) }
  }),

  handle(contract.getDocument, async ({ db, params: { programId, documentId }, services }) =>
    withUrl(services, programId, await getDocument(db, programId, documentId)),
  ),

  handle(
    contract.createDocument,
    async ({ db, params: { programId }, body: { document }, files, services, user, audit }) => {
      const file = namedFile(sentFile(files, maxDocumentFileBytes), document.Filename ?? '')
      await expectCategory(db, programId, document.CategoryId)
      const readers = await readersOf(db, programId, document)
      await refuseTakenFile(db, programId, file.name)
      const fileId = await storeDocumentFile(db, services, file, { programId, accountId: user.Id })
      const id = await addDocument(db, programId, user.Id, {
        document,
        roles: readers.Roles,
        fileName: file.name,
        fileId,
      })
      await saveReaders(db, programId, id, readers)
      await notifyReaders(db, programId, id, user.Id)
      const made = await getDocument(db, programId, id)
      audit.detail = told(made)
      return withUrl(services, programId, made)
    },
  ),

  handle(
    contract.updateDocument,
    async ({ db, params: { programId, documentId }, body: { document }, files, services, user, audit }) => {
      const before = await getDocument(db, programId, documentId)
      if (document.CategoryId !== before.CategoryId) await expectCategory(db, programId, document.CategoryId)
      const readers = await readersOf(db, programId, document, before)
      const sent = files.some(({ field }) => field === 'file')
        ? namedFile(sentFile(files, maxDocumentFileBytes), document.Filename ?? '')
        : undefined
      const fileName = sent?.name ?? (plainName(document.Filename ?? '') || before.Filename)
      await refuseTakenFile(db, programId, fileName, documentId)
      const fileId = sent && (await storeDocumentFile(db, services, sent, { programId, accountId: user.Id }))
      const values = { document, roles: readers.Roles, fileName, fileId }
      await changeDocument(db, { programId, id: documentId }, values)
      await saveReaders(db, programId, documentId, readers)
      const after = await getDocument(db, programId, documentId)
      audit.detail = { Before: told(before), After: told(after), HasNewFile: sent !== undefined }
      return withUrl(services, programId, after)
    },
  ),

  handle(contract.deleteDocument, async ({ db, params: { programId, documentId }, audit }) => {
    audit.detail = told(await getDocument(db, programId, documentId))
    await setDocumentDeleted(db, { programId, id: documentId }, true)
  }),

  handle(contract.restoreDocument, async ({ db, params: { programId, documentId }, services, audit }) => {
    const deleted = await db
      .selectFrom('document')
      .select(['category_id', 'file_name'])
      .where('program_id', '=', programId)
      .where('id', '=', documentId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst()
    if (!deleted) throw missing()
    if (!(await findCategory(db, programId, deleted.category_id)))
      throw fail(documentFailures.category_deleted)
    await refuseTakenFile(db, programId, deleted.file_name, documentId)
    await setDocumentDeleted(db, { programId, id: documentId }, false)
    const back = await getDocument(db, programId, documentId)
    audit.detail = told(back)
    return withUrl(services, programId, back)
  }),

  handle(
    contract.downloadDocument,
    async ({ db, params: { programId, documentId }, services, user, audit }) => {
      const reader = may(user, 'documents.manage') ? undefined : user
      const file = await findDocumentFile(db, programId, documentId, reader)
      if (!file) throw missing()
      audit.detail = { DocumentId: documentId, Name: file.name, Filename: file.file_name }
      return {
        name: file.file_name,
        type: file.media_type,
        chunks: await services.files.read(file.store_key),
      }
    },
  ),
]
