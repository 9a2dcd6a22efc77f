const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const office = 'application/vnd.openxmlformats-officedocument'

/** The Office type of a ZIP, by the parts it names; other archives are none. */
const officeType = (bytes: Uint8Array): string | undefined => {
  const text = latin(bytes)
  if (!text.includes('[Content_Types].xml')) return undefined
  // A workbook or document with macros runs programs on the reader's machine.
  if (text.includes('vbaProject.bin')) return undefined
  if (text.includes('word/document.xml')) return `${office}.wordprocessingml.document`
  if (text.includes('xl/workbook.xml')) return `${office}.spreadsheetml.sheet`
  if (text.includes('ppt/presentation.xml')) return `${office}.presentationml.presentation`
  return undefined
}

const isText = (bytes: Uint8Array): boolean => {
  if (bytes.includes(0)) return false
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return !/<(script|html|svg|!doctype)/i.test(text)
  } catch {
    return false
  }
}

/** The type of a document by its content, whatever its name says; undefined for what is not accepted. */
export const mediaTypeOf = (bytes: Uint8Array): string | undefined => {
  if (bytes.length === 0) return undefined
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46, 0x2d)) return 'application/pdf'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a)) return 'image/png'
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (startsWith(bytes, 0x52, 0x49, 0x46, 0x46) && latin(bytes.subarray(8, 12)) === 'WEBP')
    return 'image/webp'
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return officeType(bytes)
  return isText(bytes) ? 'text/plain' : undefined
}

/** The ends of names by which computers open content of these types as what it is, the usual one first. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  [`${office}.wordprocessingml.document`]: ['docx'],
  [`${office}.spreadsheetml.sheet`]: ['xlsx'],
  [`${office}.presentationml.presentation`]: ['pptx'],
  'text/plain': ['txt', 'text', 'csv', 'tsv', 'md', 'log', 'json', 'ics', 'srt', 'vtt', 'rtf'],
}

/**
 * The name under which a file leaves: one whose end says something else than its content, such as a text called `notes.bat` or a PDF
 * called `map.html`, gets the end of its content, and nothing turns the direction of the letters around.
 */
export const fittingName = (name: string, type: string): string => {
  const plain = name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  const known = endings[type.split(';')[0]!.trim()]
  // Windows leaves out dots and spaces at the end.
  const [, end = ''] = /\.([^.]*)$/.exec(plain.replace(/[. ]+$/, '')) ?? []
  return !known || known.includes(end.toLowerCase()) ? plain : `${plain}.${known[0]}`
}
