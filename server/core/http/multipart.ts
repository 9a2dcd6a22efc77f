import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { coreFailures } from '#contract/core/failures.ts'
import { withoutHeic } from '#server/core/files/heic.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import { type FileStore, newPassingKey } from '#server/core/runtime/file-store.ts'
import { labelOf, refuseUnusable } from './input.ts'

const defaultLimit = 25 * 1024 * 1024
const maxFieldBytes = 1024 * 1024

const notReadable = (): Failure => fail(coreFailures.unreadable_form)

const isJsonStart = /^\s*[[{]/

/** A larger file of a call that may be prepared goes to the file store as it comes. */
const maxDirectBytes = 128 * 1024

/** Takes away what was kept for a call that came to nothing. */
export const discardUploads = async (
  store: FileStore | undefined,
  files: readonly ReceivedFile[],
  taken?: string,
): Promise<void> => {
  for (const { storeKey } of files) if (storeKey && storeKey !== taken) await store?.remove(storeKey)
}

/** The bytes of a file, or the key under which the store has it. */
const receiveLarge = async (
  { file }: MultipartFile,
  store: FileStore,
  tooLarge: () => Error,
): Promise<Pick<ReceivedFile, 'bytes' | 'storeKey'>> => {
  const source = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const begun: Buffer[] = []
  let size = 0
  for (let next = await source.next(); !next.done; next = await source.next()) {
    begun.push(next.value)
    size += next.value.length
    if (size > maxDirectBytes) break
  }
  if (size <= maxDirectBytes) return { bytes: Buffer.concat(begun) }
  const all = async function* () {
    yield* begun.splice(0)
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    if (file.truncated) throw tooLarge()
  }
  const storeKey = newPassingKey()
  await store.place(storeKey, all())
  return { bytes: Buffer.alloc(0), storeKey }
}

/**
 * Reads a multipart body: files apart, and the other parts as the body. A part that begins like an object or list is JSON. A
 * part of one of the `names` belongs to the body also when it was sent like a file, as browsers send a Blob. Given a `store`,
 * large files are kept there. HEIC photos come as JPEG where this machine can convert them.
 *
 * @throws Failure 415 for another content type or a photo that cannot be read, 413 past `limit` bytes, 400 for what is no form or a
 *   part that is not JSON, 503 while many photos are read
 */
export const receiveMultipart = async (
  request: FastifyRequest,
  names: readonly string[] = [],
  limit = defaultLimit,
  store?: FileStore,
): Promise<{ body: Record<string, unknown> | undefined; files: ReceivedFile[] }> => {
  if (!request.isMultipart()) {
    throw fail(coreFailures.not_multipart)
  }
  const files: ReceivedFile[] = []
  const body: Record<string, unknown> = {}
  const take = (name: string, text: string): void => {
    try {
      body[name] = isJsonStart.test(text) ? JSON.parse(text) : text
    } catch {
      const label = names.includes(name) ? labelOf([name]) : 'One part of the form'
      throw fail(
        coreFailures.invalid_part,
        { Label: label },
        { fields: [{ Field: name, Message: `${label} is not valid JSON.` }] },
      )
    }
  }
  try {
    for await (const part of request.parts({
      limits: { fileSize: limit, files: 10, fields: 50, fieldSize: maxFieldBytes },
    })) {
      if (part.type === 'field') take(part.fieldname, String(part.value))
      else if (names.includes(part.fieldname)) {
        const bytes = await part.toBuffer()
        if (bytes.length > maxFieldBytes) throw fail(coreFailures.part_too_large)
        take(part.fieldname, bytes.toString('utf8'))
      } else {
        const content = store
          ? await receiveLarge(
              part,
              store,
              () => new request.server.multipartErrors.RequestFileTooLargeError(),
            )
          : { bytes: await part.toBuffer() }
        files.push({
          field: part.fieldname,
          name: (part.filename ?? '').replace(/^.*[\\/]/, '').slice(0, 255),
          ...content,
        })
      }
    }
  } catch (error) {
    await discardUploads(store, files)
    // The reader of forms has its own codes for what is too much; everything else it says is about the form's shape.
    if (error instanceof Failure || (error as { code?: string }).code?.startsWith('FST_')) throw error
    throw notReadable()
  }
  refuseUnusable(
    files.map(({ field, name }) => ({ File: field, Filename: name })),
    'body',
    true,
  )
  // What can be stored is rows, never pictures.
  const readable = store ? files : await Promise.all(files.map(withoutHeic))
  return { body: Object.keys(body).length > 0 ? body : undefined, files: readable }
}

/** The refusal of a body of another kind than the call takes. */
export const wrongContentType = (changes: boolean): Failure =>
  fail(coreFailures.wrong_content_type, { Changes: changes })

/** @throws Failure 415 for a form, a file or a text where a call takes JSON */
export const refuseOtherThanJson = ({ headers, body }: FastifyRequest): void => {
  const type = headers['content-type'] ?? ''
  const isForm = /^multipart\//i.test(type)
  if ((body != null || isForm) && !/^application\/json\b/i.test(type)) throw wrongContentType(true)
}

/**
 * Reads a body that is one file and nothing else.
 *
 * @throws Failure 415 for another content type, 413 past `limit` bytes, 400 when it is empty
 */
export const receiveOctets = async (request: FastifyRequest, limit = defaultLimit): Promise<ReceivedFile> => {
  if (!/^application\/octet-stream\b/i.test(request.headers['content-type'] ?? ''))
    throw fail(coreFailures.not_octets)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw fail(coreFailures.octets_too_large, { Limit: Math.floor(limit / 1024 / 1024) })
    chunks.push(chunk)
  }
  if (size === 0) throw fail(coreFailures.empty_file)
  return { field: 'body', name: '', bytes: Buffer.concat(chunks) }
}
