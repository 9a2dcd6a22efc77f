/** HEIC by its type or name, or by the box that it begins with: phones send such photos as .jpg too. */
export const isHeic = async (file: File): Promise<boolean> => {
  if (/heic|heif/i.test(file.type) || /\.(heic|heif)$/i.test(file.name)) return true
  const start = new TextDecoder('latin1').decode(await file.slice(4, 12).arrayBuffer())
  return /^ftyp(hei|hev|mif1|msf1)/.test(start)
}

/** The longer side of a photo as phones still draw it. */
const longestDrawn = 4096

/**
 * Draws a photo anew as a JPEG, upright and without everything that the camera wrote beside it; undefined for what the browser cannot
 * read.
 */
export const redrawn = async (
  file: File,
  { longest = longestDrawn, quality }: { longest?: number; quality: number },
): Promise<File | undefined> => {
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    // A canvas has a context of the kind that every browser knows.
    canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    const name = `${file.name.replace(/\.\w+$/, '') || 'photo'}.jpg`
    return blob ? new File([blob], name, { type: 'image/jpeg' }) : undefined
  } catch {
    return undefined
  }
}

/** A file as it is sent: HEIC as JPEG where this browser reads it, as Safari does; else the server may, or says what to do. */
const ready = async (file: File): Promise<File> =>
  ((await isHeic(file)) && (await redrawn(file, { quality: 0.9 }))) || file

/** A form with files under the names of their fields. */
export const formOf = async (files: Record<string, File | File[]>): Promise<FormData> => {
  const form = new FormData()
  for (const [field, given] of Object.entries(files))
    for (const file of [given].flat()) form.append(field, await ready(file))
  return form
}
