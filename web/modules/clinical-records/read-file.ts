import { numberInCredential, numberInFile } from '#contract/clinical-records/record-rules.ts'

/** What is sent of a file that somebody verifies: the number that is in it, and its fingerprint. */
export interface FilePrint {
  number: string
  hash: string
}

/** Reads a record's PDF or credential on the device; undefined for a file that was never a record. */
export const printOf = async (file: File): Promise<FilePrint | undefined> => {
  const bytes = await file.arrayBuffer()
  const text = new TextDecoder('latin1').decode(bytes)
  const number = numberInFile(text) ?? numberInCredential(text)
  if (number === undefined) return undefined
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { number, hash: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
}
