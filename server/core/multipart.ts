import type { FastifyRequest } from 'fastify'
import { Failure } from './failure.ts'

export interface ReceivedFile {
  /** The form field it came in. */
  field: string
  /** As the sender called it, without folders. */
  name: string
  bytes: Buffer
}

const defaultLimit = 25 * 1024 * 1024

/**
 * Reads a multipart body: files apart, and the other parts as the body. A part named like an object in JSON is parsed.
 *
 * @throws Failure 415 for another content type, 413 past `limit` bytes, 400 for a part that is not JSON
 */
export const receiveMultipart = async (
  request: FastifyRequest,
  limit = defaultLimit,
): Promise<{ body: Record<string, unknown> | undefined; files: ReceivedFile[] }> => {
  if (!request.isMultipart()) {
    throw new Failure(415, 'wrong_type', 'Send the file as multipart/form-data. Nothing was changed.')
  }
  const files: ReceivedFile[] = []
  const body: Record<string, unknown> = {}
  for await (const part of request.parts({
    limits: { fileSize: limit, files: 10, fields: 50, fieldSize: 1024 * 1024 },
  })) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer()
      files.push({
        field: part.fieldname,
        name: (part.filename ?? '').replace(/^.*[\\/]/, '').slice(0, 255),
        bytes,
      })
    } else {
      const text = String(part.value)
      try {
        body[part.fieldname] = /^\s*[[{]/.test(text) ? JSON.parse(text) : text
      } catch {
        throw new Failure(400, 'invalid', `${part.fieldname}: is not JSON. Nothing was changed.`, {
          fields: [{ Field: part.fieldname, Message: 'is not JSON' }],
        })
      }
    }
  }
  return { body: Object.keys(body).length > 0 ? body : undefined, files }
}

/**
 * Reads a body that is one file and nothing else.
 *
 * @throws Failure 415 for another content type, 413 past `limit` bytes, 400 when it is empty
 */
export const receiveOctets = async (request: FastifyRequest, limit = defaultLimit): Promise<ReceivedFile> => {
  if (!/^application\/octet-stream\b/i.test(request.headers['content-type'] ?? ''))
    throw new Failure(415, 'wrong_type', 'Send the file as application/octet-stream. Nothing was changed.')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit)
      throw new Failure(
        413,
        'too_large',
        `The file is larger than ${Math.floor(limit / 1024 / 1024)} MiB. Nothing was changed.`,
      )
    chunks.push(chunk)
  }
  if (size === 0) throw new Failure(400, 'invalid', 'The file is empty. Nothing was changed.')
  return { field: 'body', name: '', bytes: Buffer.concat(chunks) }
}
