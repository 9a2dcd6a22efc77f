import { createHash } from 'node:crypto'
import { coreFailures } from '#contract/core/failures.ts'
import { chooseFile } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { cleanFile } from './clean-picture.ts'
import { refuseHeic } from './heic.ts'
import { mediaTypeOf } from './media-type.ts'
import type { ReceivedFile } from './received-file.ts'
import { refuseVirus } from './virus-scan.ts'

/**
 * The one file of an upload.
 *
 * @throws Failure 400 without a file in the part `file`, 413 when it has more than `byteLimit`
 */
export const sentFile = (files: readonly ReceivedFile[], byteLimit: number): ReceivedFile => {
  const file = files.find(({ field }) => field === 'file')
  if (!file) throw fail(coreFailures.no_file, { fields: [{ Field: 'file', Message: sentence(chooseFile) }] })
  if (file.bytes.length > byteLimit)
    throw fail(coreFailures.file_too_large, { Name: file.name, Limit: byteLimit / 1024 ** 2 })
  return file
}

/**
 * Keeps the bytes in the file store, pictures without what is hidden in them, and what is known of them in the database; answers
 * the id of the row and what was kept.
 *
 * @throws Failure 413 or 415 for a picture that is too large or cannot be read
 */
export const storeClean = async (
  db: Db,
  services: Services,
  sent: ReceivedFile,
  { programId, mediaType, accountId }: { programId: number | null; mediaType: string; accountId: number },
): Promise<{ id: number; byteCount: number }> => {
  const file = await cleanFile(sent, mediaType)
  const { id } = await db
    .insertInto('stored_file')
    .values({
      program_id: programId,
      store_key: await services.files.put(file.bytes),
      name: file.name,
      media_type: mediaType,
      byte_count: file.bytes.length,
      sha256: createHash('sha256').update(file.bytes).digest(),
      created_by: accountId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, byteCount: file.bytes.length }
}

/** Keeps a file as `storeClean` does; answers the id of the row. */
export const storeFile = async (...given: Parameters<typeof storeClean>): Promise<number> =>
  (await storeClean(...given)).id

/**
 * Keeps a file by the type of its content, whatever its name says; answers the id of the row.
 *
 * @throws Failure 415 for what is no PDF, picture, text or office file, 422 for a file with a virus
 */
export const storeDocumentFile = async (
  db: Db,
  services: Services,
  file: ReceivedFile,
  { programId, accountId }: { programId: number | null; accountId: number },
): Promise<number> => {
  refuseHeic(file)
  const mediaType = mediaTypeOf(file.bytes)
  if (!mediaType) throw fail(coreFailures.wrong_file_type, { Name: file.name })
  await refuseVirus(services, file)
  return storeFile(db, services, file, { programId, mediaType, accountId })
}

/** Forgets files, whose bytes are gone or go elsewhere. */
export const forgetFiles = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('stored_file').where('id', 'in', ids).execute()
}
