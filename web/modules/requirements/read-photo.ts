import { maxProofBytes } from '#contract/requirements/requirement-fields.ts'

/** What a file turned out to be: ready to send, or why not. */
export type ReadPhoto = { file: File } | { problem: 'tooLarge' | 'heic' | 'notPicture' }

/** The longer side of a photo as it is sent: print on a card stays readable. */
const longest = 2400
const quality = 0.86

const isHeic = ({ name, type }: File): boolean => /heic|heif/i.test(type) || /\.(heic|heif)$/i.test(name)

/** Draws a picture anew, which leaves out everything that the camera wrote beside it. */
const redrawn = async (file: File): Promise<Blob | null> => {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  // A canvas has a context of the kind that every browser knows.
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}

/**
 * Makes a photo ready to send: a JPEG without its place and owner, of a size that a phone sends fast. HEIC becomes JPEG where the browser
 * can read it; nothing else on the device decodes it.
 */
export const readPhoto = async (file: File): Promise<ReadPhoto> => {
  if (file.type === 'application/pdf' || /\.pdf$/i.test(file.name))
    return file.size > maxProofBytes ? { problem: 'tooLarge' } : { file }
  if (!isHeic(file) && !file.type.startsWith('image/')) return { problem: 'notPicture' }
  if (file.size > 4 * maxProofBytes) return { problem: 'tooLarge' }
  try {
    const blob = await redrawn(file)
    if (!blob) return { problem: isHeic(file) ? 'heic' : 'notPicture' }
    return {
      file: new File([blob], `${file.name.replace(/\.\w+$/, '') || 'photo'}.jpg`, { type: 'image/jpeg' }),
    }
  } catch {
    return { problem: isHeic(file) ? 'heic' : 'notPicture' }
  }
}
