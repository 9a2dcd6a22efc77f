import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import { fittingName } from '#server/core/files/media-type.ts'
import type { StreamAnswer } from './handle.ts'

const asBytes = async function* (chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
}

const disposition = (name: string): string => {
  const plain = name.replace(/[^\w. -]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}

/** A reader that takes nothing for so long that this many bytes wait is gone, whatever its connection says. */
const maxWaitingBytes = 64 * 1024

/** Hands the connection over to a stream of events; it is told when either side has ended. */
export const openStream = (reply: FastifyReply, start: StreamAnswer): FastifyReply => {
  const { raw } = reply
  let stop = () => {}
  raw.once('close', () => stop())
  // What goes over the wire from here on is nobody's but the stream's: no compression, which would hold lines back.
  reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // Kept open for further calls, it would hold up the stop of the server.
    connection: 'close',
  })
  stop = start(
    (text) => {
      if (raw.writableLength > maxWaitingBytes) raw.destroy()
      else if (!raw.writableEnded) raw.write(text)
    },
    () => raw.end(),
  )
  if (raw.destroyed) stop()
  return reply
}

/**
 * Streams a download and resolves when all of it is sent, so that the transaction that feeds it stays open until then.
 * `isLasting`: the browser keeps it, as it does pictures; otherwise nothing keeps it.
 */
export const sendFile = async (
  reply: FastifyReply,
  { name, type, chunks, version }: FileAnswer,
  isLasting: boolean,
): Promise<void> => {
  reply.raw.setHeader('x-content-type-options', 'nosniff')
  if (version) {
    // Weak: what goes out may be compressed.
    const tag = `W/"${version}"`
    reply.header('etag', tag)
    const known = reply.request.headers['if-none-match']?.split(',').map((each) => each.trim()) ?? []
    if (known.some((each) => each === '*' || each.replace(/^W\//, '') === `"${version}"`)) {
      reply.code(304).header('cache-control', 'private, no-cache').send()
      return
    }
  }
  reply
    .header('content-type', type)
    .header('content-disposition', disposition(fittingName(name, type)))
    .header(
      'cache-control',
      isLasting ? 'private, max-age=31536000, immutable' : version ? 'private, no-cache' : 'no-store',
    )
  const stream = Readable.from(asBytes(chunks))
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('close', resolve)
    stream.once('error', reject)
  })
  reply.send(stream)
  await ended
}
