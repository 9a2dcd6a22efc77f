import { siteFailures } from '#contract/sites/failures.ts'
import * as contract from '#contract/sites/sites.ts'
import { maxDocumentBytes } from '#contract/sites/sites-rules.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { refuseHeic } from '#server/core/files/heic.ts'
import { mediaTypeOf } from '#server/core/files/media-type.ts'
import { sentFile, storeClean } from '#server/core/files/stored-files.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addSiteDocument, setSiteDocumentDeleted } from './documents.commands.ts'
import { siteExists } from './sites.queries.ts'

const getSiteOf = async (db: Db, programId: number, siteId: number, user: User): Promise<void> => {
  if (!(await siteExists(db, programId, siteId, user))) throw fail(siteFailures.no_site)
}

export const siteDocumentRoutes = [
  handle(contract.addSiteDocument, async ({ db, params, body, files, services, user, audit }) => {
    const { programId, siteId } = params
    await getSiteOf(db, programId, siteId, user)
    const file = sentFile(files, maxDocumentBytes)
    refuseHeic(file)
    const mediaType = mediaTypeOf(file.bytes)
    if (!mediaType) throw fail(siteFailures.wrong_type, { Name: file.name })
    const name = body?.Name || file.name || 'Document'
    const { id: fileId, byteCount } = await storeClean(db, services, file, {
      programId,
      mediaType,
      accountId: user.Id,
    })
    const { id, created_at } = await addSiteDocument(db, params, user.Id, { fileId, name })
    audit.detail = { Name: name, MediaType: mediaType, ByteCount: byteCount }
    return {
      Id: id,
      Name: name,
      MediaType: mediaType,
      ByteCount: byteCount,
      // A moment comes as text (`pool.ts`); the generated types say `Date`.
      CreateDate: created_at as unknown as string,
      CreateBy: user.UserName,
    }
  }),

  handle(contract.downloadSiteDocument, async ({ db, params, services, user, audit }) => {
    const { programId, siteId, documentId } = params
    await getSiteOf(db, programId, siteId, user)
    const document = await db
      .selectFrom('site_file as x')
      .innerJoin('stored_file as f', 'f.id', 'x.file_id')
      .select(['x.name', 'f.name as fileName', 'f.media_type', 'f.store_key'])
      .where('x.program_id', '=', programId)
      .where('x.site_id', '=', siteId)
      .where('x.id', '=', documentId)
      .where('x.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!document) throw fail(siteFailures.no_document)
    audit.detail = { Name: document.name }
    return {
      name: document.fileName || document.name,
      type: document.media_type,
      chunks: await services.files.read(document.store_key),
    }
  }),

  handle(contract.removeSiteDocument, async ({ db, params, user, audit }) => {
    await getSiteOf(db, params.programId, params.siteId, user)
    audit.detail = { Name: await setSiteDocumentDeleted(db, params, true) }
  }),

  handle(contract.restoreSiteDocument, async ({ db, params, user, audit }) => {
    await refuseDeletedParent(db, params.programId, {
      table: 'site_file',
      ids: [params.documentId],
      parent: 'site',
      by: 'site_id',
    })
    await getSiteOf(db, params.programId, params.siteId, user)
    audit.detail = { Name: await setSiteDocumentDeleted(db, params, false) }
  }),
]
