const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** The Office type of a ZIP, by the parts it names; other archives are none. */
const officeType = (bytes: Uint8Array): string | undefined => {
  const text = latin(bytes)
  const base = 'application/vnd.openxmlformats-officedocument'
  if (!text.includes('[Content_Types].xml')) return undefined
  // A workbook or document with macros runs programs on the reader's machine.
  if (text.includes('vbaProject.bin')) return undefined
  if (text.includes('word/document.xml')) return `${base}.wordprocessingml.document`
  if (text.includes('xl/workbook.xml')) return `${base}.spreadsheetml.sheet`
  if (text.includes('ppt/presentation.xml')) return `${base}.presentationml.presentation`
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
