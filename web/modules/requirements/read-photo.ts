import { maxProofBytes } from '#contract/requirements/requirement-fields.ts'

/** What a file turned out to be: ready to send, or why not. */
export type ReadPhoto = { file: File } | { problem: 'tooLarge' | 'heic' | 'notPicture' }

/** The longer side of a photo as it is sent: print on a card stays readable. */
const longest = 2400
const quality = 0.86

/** HEIC by its type or name, or by the box that it begins with: phones send such photos as .jpg too. */
const isHeic = async (file: File): Promise<boolean> => {
  if (/heic|heif/i.test(file.type) || /\.(heic|heif)$/i.test(file.name)) return true
  const start = new TextDecoder('latin1').decode(await file.slice(4, 12).arrayBuffer())
  return /^ftyp(hei|hev|mif1|msf1)/.test(start)
}

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
  if (file.size > 4 * maxProofBytes) return { problem: 'tooLarge' }
  const problem = (await isHeic(file)) ? 'heic' : 'notPicture'
  if (problem === 'notPicture' && !file.type.startsWith('image/')) return { problem }
  try {
    const blob = await redrawn(file)
    if (!blob) return { problem }
    return {
      file: new File([blob], `${file.name.replace(/\.\w+$/, '') || 'photo'}.jpg`, { type: 'image/jpeg' }),
    }
  } catch {
    return { problem }
  }
}
