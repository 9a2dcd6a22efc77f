import { setImmediate as others } from 'node:timers/promises'
import type { Parser } from 'htmlparser2'
import type { Entry, ZipFile } from 'yauzl'

/** A workbook that is not read, with the sentence that says why and what to do. */
export class UnreadableWorkbook extends Error {}

/** The sentence for what is broken, whatever broke it. */
export const damaged = (): UnreadableWorkbook =>
  new UnreadableWorkbook(
    'This workbook cannot be read: it is damaged or incomplete. Open it in Excel, save it again, and choose that file.',
  )

export const hasPassword = (): UnreadableWorkbook =>
  new UnreadableWorkbook(
    'This workbook has a password. Remove it in Excel, save the workbook, and choose the file again.',
  )

export const tooLarge = (): UnreadableWorkbook =>
  new UnreadableWorkbook(
    'This workbook is too large to read. Save the sheet as CSV (UTF-8), or split it, and choose that file.',
  )

/** A workbook of 200,000 rows unfolds to less; a bomb unfolds to gigabytes. */
const maxInflatedBytes = 256 * 1024 * 1024
const maxEntries = 5_000
/** 100,000 rows of 16 columns have five million tags; each takes its time, however short it is. */
const maxTags = 15_000_000
/** A worksheet nests seven elements; the parser takes longer with every one more. */
const maxDepth = 64
/** Text between two tags: a cell has 32,767 characters at most, a tag far fewer. */
const maxSilentCharacters = 2 * 1024 * 1024

/** What the parts of a workbook are read by; names come without their prefix. */
export interface PartHandler {
  open?: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  close?: (name: string) => void
  /** Asked between pieces: nothing more is wanted of this part. */
  isDone?: () => boolean
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads XML in pieces. Entities besides the five of XML are left as they are, so that none unfolds. */
const xmlReader = (
  Reader: typeof Parser,
  handler: PartHandler,
  count: () => void,
): { write: (text: string) => void; end: () => void } => {
  let depth = 0
  let silent = 0
  const parser = new Reader(
    {
      onopentag: (name, attributes) => {
        silent = 0
        count()
        if (++depth > maxDepth) throw damaged()
        handler.open?.(withoutPrefix(name), attributes)
      },
      ontext: (text) => {
        silent = 0
        handler.text?.(text)
      },
      onclosetag: (name) => {
        silent = 0
        depth--
        handler.close?.(withoutPrefix(name))
      },
    },
    { xmlMode: true },
  )
  return {
    write: (text) => {
      silent += text.length
      if (silent > maxSilentCharacters) throw damaged()
      parser.write(text)
    },
    end: () => parser.end(),
  }
}

/** The parts of an Office file by name, unpacked one at a time, in pieces, and never past the limit for all together. */
export interface Parts {
  has: (name: string) => boolean
  read: (name: string, handler: PartHandler) => Promise<void>
}

const unpacked = async (zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> => {
  if (entry.isEncrypted()) throw hasPassword()
  return zip.openReadStreamPromise(entry)
}

/**
 * Opens the ZIP of an Office file.
 *
 * @throws UnreadableWorkbook when it is damaged
 */
export const openParts = async (bytes: Buffer): Promise<Parts> => {
  const entries = new Map<string, Entry>()
  const [{ Parser }, { fromBufferPromise }] = await Promise.all([import('htmlparser2'), import('yauzl')])
  let zip: ZipFile
  try {
    zip = await fromBufferPromise(bytes)
    if (zip.entryCount > maxEntries) throw tooLarge()
    for await (const entry of zip.eachEntry())
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
  } catch (error) {
    throw error instanceof UnreadableWorkbook ? error : damaged()
  }
  let inflated = 0
  let tags = 0
  const count = () => {
    if (++tags > maxTags) throw tooLarge()
  }
  return {
    has: (name) => entries.has(name),
    read: async (name, handler) => {
      const entry = entries.get(name)
      if (!entry) throw damaged()
      // What the entry says of its size is checked before, and counted while it unpacks: yauzl stops where the two differ.
      if (inflated + entry.uncompressedSize > maxInflatedBytes) throw tooLarge()
      const decoder = new TextDecoder('utf-8', { fatal: true })
      const reader = xmlReader(Parser, handler, count)
      try {
        for await (const chunk of await unpacked(zip, entry)) {
          inflated += chunk.length
          reader.write(decoder.decode(chunk, { stream: true }))
          if (handler.isDone?.()) return
          // Other requests are answered between the pieces of a large part.
          await others()
        }
        decoder.decode()
        reader.end()
      } catch (error) {
        throw error instanceof UnreadableWorkbook ? error : damaged()
      }
    },
  }
}
