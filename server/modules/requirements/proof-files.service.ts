import { theFile } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import { requirementFailures } from '#contract/requirements/failures.ts'
import { maxProofBytes, maxProofFiles } from '#contract/requirements/requirement-fields.ts'
import type { Db } from '#server/core/database/pool.ts'
import { refuseHeic } from '#server/core/files/heic.ts'
import { mediaTypeOf } from '#server/core/files/media-type.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import { storeFile } from '#server/core/files/stored-files.ts'
import { refuseVirus } from '#server/core/files/virus-scan.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'

const accepted = ['application/pdf', 'image/jpeg', 'image/png']

const typeOf = (file: ReceivedFile): string => {
  refuseHeic(file)
  const { name, bytes } = file
  const type = mediaTypeOf(bytes)
  if (!type || !accepted.includes(type))
    throw fail(requirementFailures.wrong_type, { Name: name || sentence(theFile) })
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
  if (files.length > maxProofFiles) throw fail(requirementFailures.too_many, { Most: maxProofFiles })
  for (const { name, bytes } of files)
    if (bytes.length > maxProofBytes)
      throw fail(requirementFailures.too_large, {
        Name: name || sentence(theFile),
        Limit: maxProofBytes / 1024 ** 2,
      })
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
