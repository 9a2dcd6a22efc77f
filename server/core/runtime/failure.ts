import type { ErrorBody } from '#contract/core/endpoint.ts'

export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503

/**
 * A refusal with a status, a code for programs and a sentence for people: what happened, what was kept, what to do.
 * Nobody reads the message's text to decide anything.
 */
export class Failure extends Error {
  override name = 'Failure'
  readonly status: FailureStatus
  readonly code: string | undefined
  readonly fields: { Field: string; Message: string }[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** Further fields of the error body that an endpoint documents, such as TotpRequired. */
  readonly extra: Record<string, unknown> | undefined

  constructor(
    status: FailureStatus,
    code: string | undefined,
    message: string,
    more: {
      fields?: { Field: string; Message: string }[]
      retryAfterSeconds?: number
      extra?: Record<string, unknown>
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.fields = more.fields
    this.retryAfterSeconds = more.retryAfterSeconds
    this.extra = more.extra
  }

  body(): ErrorBody & Record<string, unknown> {
    return {
      Message: this.message,
      ...(this.code && { Code: this.code }),
      ...(this.fields && { Errors: this.fields }),
      ...this.extra,
    }
  }
}

/** Not there, or not the caller's: the two are never told apart, so that nobody learns what exists. */
export const notFound = (what = 'This record'): Failure =>
  new Failure(404, 'not_found', `${what} does not exist, or you do not have access to it.`)

/** How many ids of a list a message names; all of them are in `Missing`. */
const mostNamed = 10

/**
 * Refuses a list (404) that names what is not there, or not the caller's, and says by their ids which those are.
 * `things` is what they are, such as `shifts`.
 */
export const refuseMissing = (things: string, wanted: Iterable<number>, found: Iterable<number>): void => {
  const there = new Set(found)
  const missing = [...new Set(wanted)].filter((id) => !there.has(id))
  if (missing.length === 0) return
  const more = missing.length - mostNamed
  const named = `${missing.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  throw new Failure(
    404,
    'not_found',
    `These ${things} do not exist, or you do not have access to them: ${named}. Nothing was changed. Load the list again.`,
    { extra: { Missing: missing } },
  )
}

export const conflict = (code: string, message: string, field?: string): Failure =>
  new Failure(409, code, message, field ? { fields: [{ Field: field, Message: message }] } : {})

/** A rule of the field is broken (422); `field` names the input at fault. */
export const ruleBroken = (code: string, message: string, field?: string): Failure =>
  new Failure(422, code, message, field ? { fields: [{ Field: field, Message: message }] } : {})
