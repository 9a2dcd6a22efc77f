/** Text of a file, or the sentence that says why it is none. */
export type Decoded = { text: string; encoding: string } | { problem: string }

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)

const share = (bytes: Uint8Array, offset: number): number => {
  const length = Math.min(bytes.length, 4096)
  let zeros = 0
  for (let at = offset; at < length; at += 2) if (bytes[at] === 0) zeros++
  return zeros / Math.max(1, Math.floor(length / 2))
}

const decode = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding, { ignoreBOM: false }).decode(bytes)

/**
 * Reads the bytes of a CSV file: UTF-8 with or without a mark, UTF-16 with a mark or recognised by its zeros, and what is
 * neither as Windows-1252, in which older spreadsheets save. PDFs and other bytes are refused by name.
 */
export const decodeText = (bytes: Uint8Array): Decoded => {
  if (bytes.length === 0)
    return { problem: 'The file is empty. Choose a CSV or Excel (.xlsx) file with a header row.' }
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46))
    return { problem: 'This is a PDF. Choose a CSV or Excel (.xlsx) file with a header row.' }
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff))
    return { problem: 'The file is in UTF-32. Save it as CSV (UTF-8) and choose that file.' }
  if (startsWith(bytes, 0xff, 0xfe)) return { text: decode(bytes, 'utf-16le'), encoding: 'UTF-16' }
  if (startsWith(bytes, 0xfe, 0xff)) return { text: decode(bytes, 'utf-16be'), encoding: 'UTF-16' }
  if (bytes.includes(0)) {
    if (share(bytes, 1) > 0.4) return { text: decode(bytes, 'utf-16le'), encoding: 'UTF-16' }
    if (share(bytes, 0) > 0.4) return { text: decode(bytes, 'utf-16be'), encoding: 'UTF-16' }
    return {
      problem:
        'The file is neither text nor a workbook. Save the sheet as CSV (UTF-8) or Excel (.xlsx) and choose that file.',
    }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: decode(bytes, 'windows-1252'), encoding: 'Windows-1252' }
  }
}
