import { createHmac, randomBytes } from 'node:crypto'
import { retryWait } from '#server/core/runtime/retry.ts'

/** A secret as Standard Webhooks writes it: 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** One event as it is sent. */
export interface Message {
  id: string
  /** Seconds of the moment of sending. */
  timestamp: number
  body: string
}

/** The headers of a message. It is signed with each secret, the newest first: during a rotation the receiver may know either. */
export const headersOf = (
  { id, timestamp, body }: Message,
  secrets: readonly string[],
): Record<string, string> => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' '),
})

const [second, minute, hour] = [1, 60, 3_600]
/** How long after an attempt the next one comes, as Standard Webhooks proposes: three days in all. */
export const retrySeconds = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Seconds to wait after an attempt that failed; undefined after the last. */
export const waitAfter = (attempts: number, random: number, retryAfter?: string): number | undefined =>
  retryWait(retrySeconds, attempts, random, retryAfter)

/** The body of an event. Receivers order the events of a subject by their number. */
export const bodyOf = (event: {
  type: string
  at: string
  data: unknown
  subject: string
  number: number
}): string =>
  JSON.stringify({
    type: event.type,
    timestamp: event.at,
    data: event.data,
    subject: event.subject,
    number: event.number,
  })
