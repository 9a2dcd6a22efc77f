import { randomBytes } from 'node:crypto'
import { newsFailures } from '#contract/news/failures.ts'
import * as contract from '#contract/news/pictures.ts'
import { refuseHeic } from '#server/core/files/heic.ts'
import { pictureTypeOf } from '#server/core/files/picture-type.ts'
import { sentFile, storeClean } from '#server/core/files/stored-files.ts'
import type { Call } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'

type Adding = Pick<Call<unknown, unknown, unknown>, 'db' | 'files' | 'services' | 'user' | 'audit'>

/** Keeps an uploaded picture under a random key that nobody can guess, and answers its address. */
export const keep = async (
  { db, files, services, user, audit }: Adding,
  programId: number | null,
): Promise<{ Address: string }> => {
  const file = sentFile(files, contract.maxPictureBytes)
  refuseHeic(file)
  const mediaType = pictureTypeOf(file.bytes)
  if (!mediaType) throw fail(newsFailures.wrong_type, { Name: file.name })
  const key = randomBytes(20).toString('hex')
  const { id, byteCount } = await storeClean(db, services, file, { programId, mediaType, accountId: user.Id })
  await db.insertInto('picture').values({ key, program_id: programId, file_id: id }).execute()
  audit.detail = { Name: file.name, MediaType: mediaType, ByteCount: byteCount }
  return { Address: `${services.config.appRoot}/new/api/pictures/${key}` }
}
