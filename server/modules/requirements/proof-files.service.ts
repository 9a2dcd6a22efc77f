import { maxProofBytes, maxProofFiles } from '#contract/requirements/requirement-fields.ts'
import type { Db } from '#server/core/database/pool.ts'
import { refuseHeic } from '#server/core/files/heic.ts'
import { mediaTypeOf } from '#server/core/files/media-type.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import { storeFile } from '#server/core/files/stored-files.ts'
import { refuseVirus } from '#server/core/files/virus-scan.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'

const accepted = ['application/pdf', 'image/jpeg', 'image/png']

const typeOf = (file: ReceivedFile): string => {
  refuseHeic(file)
  const { name, bytes } = file
  const type = mediaTypeOf(bytes)
  if (!type || !accepted.includes(type))
    throw new Failure(
      415,
      'wrong_type',
      `${name || 'The file'} is no PDF, JPEG or PNG by its content. Nothing was kept.`,
    )
  return type
}

/**
 * Keeps the files of a proof, photos without what the camera says of place and owner; answers their ids in order.
 *
 * @throws Failure 413, 415, or 422 for a virus; nothing is kept then
 */
export const storeProofFiles = async (
  db: Db,
  services: Services,
  files: readonly ReceivedFile[],
  { programId, accountId }: { programId: number; accountId: number },
): Promise<number[]> => {
  if (files.length > maxProofFiles)
    throw new Failure(413, 'too_many', `Send at most ${maxProofFiles} files at a time. Nothing was kept.`)
  for (const { name, bytes } of files)
    if (bytes.length > maxProofBytes)
      throw new Failure(
        413,
        'too_large',
        `${name || 'The file'} is larger than ${maxProofBytes / 1024 ** 2} MiB. Make it smaller; nothing was kept.`,
      )
  const types = files.map(typeOf)
  const ids: number[] = []
  for (const [index, file] of files.entries()) {
    await refuseVirus(services, file)
    // There is a type for each file.
    const mediaType = types[index]!
    ids.push(await storeFile(db, services, file, { programId, mediaType, accountId }))
  }
  return ids
}
