import { Zip, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  /** Its name in the archive; what file systems refuse is replaced, and the same name gets a number. */
  name: string
  bytes: Uint8Array
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them
const refused = /[\u0000-\u001F<>:"/\\|?*]/g

/** A name that every file system takes, and that no earlier entry has. */
const namer = (): ((name: string) => string) => {
  const taken = new Map<string, number>()
  return (given) => {
    const name = given.toWellFormed().replace(refused, '_').slice(0, 150).trim() || 'file'
    const key = name.toLowerCase()
    const count = (taken.get(key) ?? 0) + 1
    taken.set(key, count)
    if (count === 1) return name
    const dot = name.lastIndexOf('.')
    return dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`
  }
}

/** A ZIP to add files to, and what of it is ready to be sent. */
export const openZip = (): { zip: Zip; take: () => Uint8Array[] } => {
  const ready: Uint8Array[] = []
  let failure: Error | undefined
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else if (chunk.length > 0) ready.push(chunk)
  })
  return {
    zip,
    take: () => {
      if (failure) throw failure
      return ready.splice(0)
    },
  }
}

/** A ZIP as it streams: one entry at a time is in memory. For files that are packed already, such as PDF; they go in as they are. */
export async function* zipFile(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const { zip, take } = openZip()
  const nameOf = namer()
  for await (const { name, bytes } of entries) {
    const entry = new ZipPassThrough(nameOf(name))
    zip.add(entry)
    entry.push(bytes, true)
    yield* take()
  }
  zip.end()
  yield* take()
}
