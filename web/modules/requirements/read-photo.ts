import { maxProofBytes } from '#contract/requirements/requirement-fields.ts'
import { isHeic, redrawn } from '#web/api/photos.ts'

/** What a file turned out to be: ready to send, or why not. */
export type ReadPhoto = { file: File } | { problem: 'tooLarge' | 'notPicture' }

/** The longer side of a photo as it is sent: print on a card stays readable. */
const longest = 2400
const quality = 0.86

/**
 * Makes a photo ready to send: a JPEG without its place and owner, of a size that a phone sends fast. HEIC that the browser cannot read
 * goes as it is: the server may have a program for it.
 */
export const readPhoto = async (file: File): Promise<ReadPhoto> => {
  const asItIs = (): ReadPhoto => (file.size > maxProofBytes ? { problem: 'tooLarge' } : { file })
  if (file.type === 'application/pdf' || /\.pdf$/i.test(file.name)) return asItIs()
  if (file.size > 4 * maxProofBytes) return { problem: 'tooLarge' }
  const isOfPhone = await isHeic(file)
  if (!isOfPhone && !file.type.startsWith('image/')) return { problem: 'notPicture' }
  const drawn = await redrawn(file, { longest, quality })
  if (drawn) return { file: drawn }
  return isOfPhone ? asItIs() : { problem: 'notPicture' }
}
