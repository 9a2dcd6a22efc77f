import { basedSave } from '#contract/core/basis.ts'
import type { AnswerOf, AnyEndpoint, ErrorBody, InputOf } from '#contract/core/endpoint.ts'
import { entranceWords as words } from '#web/words/entrance-words.ts'
import { language } from '#web/words/language.ts'
import type { Acting } from './acting.ts'
import { assure, givenProof, givenReason } from './assurance.ts'
import { takeBegun } from './begin.ts'
import { noteAge } from './data-age.ts'
import { writeNote } from './device.ts'
import { newKey } from './new-key.ts'
import { nextStep } from './next-step.ts'
import { appRoot, pageAddress } from './root.ts'
import { noteServerTime } from './server-time.ts'

/** A call was refused or not answered. `body` is the server's error as interface 4 describes it. */
export class CallError extends Error {
  override name = 'CallError'
  /** 0 when the server did not answer. */
  readonly status: number
  readonly body: ErrorBody & Record<string, unknown>

  constructor(status: number, body: ErrorBody) {
    super(body.Message)
    this.status = status
    this.body = body
  }
  get code(): string | undefined {
    return this.body.Code
  }
  get Errors(): ErrorBody['Errors'] {
    return this.body.Errors
  }
}

export interface CallOptions {
  /** Parts of a multipart body; the input's body becomes its other parts. */
  files?: Record<string, File | File[]>
  /** The body is this file and nothing else. */
  bytes?: Blob
  /** The same key gives the same answer and one effect; every change has one of its own unless given. */
  idempotencyKey?: string
  /** The account that the change is for: the server refuses it when somebody else is signed in by now. */
  account?: number
  /** The call is made by an inbox link as one of its accounts, and not by the session. */
  acting?: Pick<Acting, 'token' | 'account'>
  /** What the change starts from, as it was read: where it would undo what others have done since, the server refuses with 409 `stale`. */
  basedOn?: unknown
  signal?: AbortSignal
  /** Nobody did anything: the call does not keep the session alive. */
  isBackground?: boolean
  /** The caller deals with a session that has ended; otherwise the login page comes. */
  staysSignedOut?: boolean
}

const timeoutMs = 60_000

let csrfToken: string | undefined
let lastActivity = Date.now()

/** When a call was made last that keeps the session alive, as `Date.now()` tells it. */
export const lastActivityAt = (): number => lastActivity

/** The token that changes carry; read from the session when it is not known yet, or once more after a refusal. */
const fetchToken = async (): Promise<string> => {
  const response = await fetch(`${appRoot}/new/api/auth/session`)
  if (!response.ok) throw await errorOf(response)
  csrfToken = ((await response.json()) as { CsrfToken: string }).CsrfToken
  return csrfToken
}

/** After signing in or out the token is another one, and the device knows nobody until a page says who it is. */
export const forgetToken = (): void => {
  csrfToken = undefined
  writeNote('account', undefined)
}

const toText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

/** The address of a call with its input; downloads link to it. */
export const callAddress = <E extends AnyEndpoint>(endpoint: E, input?: Omit<InputOf<E>, 'body'>): string =>
  addressOf(endpoint, input)

type AddressParts = { params?: Record<string, unknown>; query?: Record<string, unknown> }

const addressOf = (endpoint: AnyEndpoint, { params = {}, query = {} }: AddressParts = {}): string => {
  const path = endpoint.path.replace(/:(\w+)/g, (_all: string, name: string) =>
    encodeURIComponent(toText(params[name])),
  )
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const search = new URLSearchParams(given.map(([name, value]) => [name, toText(value)])).toString()
  return `${appRoot}/new/api${path}${search ? `?${search}` : ''}`
}

/** The refusal that a response is. */
export const errorOf = async (response: Response): Promise<CallError> => {
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined
  return new CallError(
    response.status,
    body?.Message ? body : { Message: words('call.unreadable'), Code: 'unanswered' },
  )
}

/**
 * Whether a change may have been saved although no answer says so: the server did not answer, or it or something between
 * failed. Every other answer tells what happened.
 */
const isUnknown = ({ status }: CallError): boolean => status === 0 || status >= 500

/** What the server says of its own failure stays; where nobody said anything, this does. */
const unconfirmed = (error: CallError): CallError =>
  error.code === 'unanswered' || error.code === 'unconfirmed'
    ? new CallError(error.status, {
        Message: words('call.unconfirmed'),
        Code: 'unconfirmed',
      })
    : error

/** The server cannot be reached, or says nothing. */
export const unanswered = (): CallError =>
  new CallError(0, {
    Message: words('call.unanswered'),
    Code: 'unanswered',
  })

/** Keys of changes that were not confirmed, by what was sent: pressing again repeats the same change. */
const openKeys = new Map<string, string>()

/** What makes two changes the same: address, input, and the files by name, size and date. */
const sameness = (endpoint: AnyEndpoint, address: string, body: unknown, options: CallOptions): string => {
  const files = [options.bytes, ...Object.values(options.files ?? {}).flat()]
    .filter((file) => file !== undefined)
    .map((file) => [file.size, file instanceof File && [file.name, file.lastModified]])
  return JSON.stringify([endpoint.method, address, body, files])
}

/** Where a signed-out person goes: the server keeps the current path in a cookie and shows the login page. */
export const goToLogin = (): void => {
  if (!location.pathname.startsWith(pageAddress('login'))) location.reload()
}

/**
 * A step that has to be done before anything else has its own page, named by the refusal. The server leads there from the
 * page that is loaded again, and keeps its address for afterwards.
 */
const goToStep = (page: unknown): void => {
  if (typeof page === 'string' && location.pathname !== page) location.reload()
}

/**
 * Makes a call of the contract. Where it may be prepared by the worker, the answer may be a `TaskAnswer` instead.
 *
 * @throws CallError: with the server's status and body, or status 0 when it did not answer within 60 seconds
 */
export const call = async <E extends AnyEndpoint>(
  endpoint: E,
  input?: InputOf<E>,
  options: CallOptions = {},
): Promise<AnswerOf<E>> => {
  const { body: given } = (input ?? {}) as { body?: unknown }
  const isBased = options.basedOn !== undefined && endpoint.basis !== undefined
  const { match, body } = isBased
    ? basedSave(endpoint, given, options.basedOn)
    : { match: undefined, body: given }
  const isChange = endpoint.method !== 'GET'
  const isConfirmable = isChange && endpoint.may !== 'everyone'
  const same = isConfirmable ? sameness(endpoint, addressOf(endpoint, input), body, options) : ''
  const key = options.idempotencyKey ?? (isConfirmable ? (openKeys.get(same) ?? newKey()) : undefined)
  const settle = (error?: CallError): CallError | undefined => {
    if (!isConfirmable || options.idempotencyKey) return error
    if (error && isUnknown(error)) {
      // Whatever can be confirmed got a key above.
      openKeys.set(same, key!)
      return unconfirmed(error)
    }
    openKeys.delete(same)
    return error
  }
  let form: FormData | undefined
  const send = async (): Promise<Response> => {
    // What comes is shown on this page.
    const headers: Record<string, string> = { 'x-language': language }
    if (options.acting) {
      headers['x-inbox'] = options.acting.token
      headers['x-account'] = String(options.acting.account)
    } else if (isChange && endpoint.may !== 'everyone')
      headers['x-csrf-token'] = csrfToken ?? (await fetchToken())
    const reason = givenReason()
    if (reason) headers['x-reason'] = reason
    const proof = givenProof()
    if (proof) headers['x-proof'] = proof
    if (options.isBackground) headers['x-background'] = '1'
    else lastActivity = Date.now()
    if (key) headers['idempotency-key'] = key
    if (options.account !== undefined) headers['x-account'] = String(options.account)
    if (match !== undefined) headers['if-match'] = match
    let payload: BodyInit | undefined
    if (options.files) {
      // What files take is loaded with the first one.
      form ??= await (await import('./photos.ts')).formOf(options.files)
      for (const [name, value] of Object.entries((body ?? {}) as object)) {
        form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      }
      payload = form
    } else if (options.bytes) {
      headers['content-type'] = 'application/octet-stream'
      payload = options.bytes
    } else if (body !== undefined) {
      headers['content-type'] = 'application/json'
      payload = JSON.stringify(body)
    }
    const address = addressOf(endpoint, input)
    if (!isChange) {
      const begun = takeBegun(address)
      if (begun) return begun
      await nextStep()
    }
    const timeout = AbortSignal.timeout(timeoutMs)
    return fetch(address, {
      method: endpoint.method,
      headers,
      body: payload,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    })
  }
  let response: Response
  try {
    response = await send()
    for (let isRenewed = false; response.status === 403; response = await send()) {
      const refusal = await errorOf(response)
      if (refusal.code === 'step') goToStep(refusal.body.RedirectTo)
      if (isChange && refusal.code === 'csrf' && !isRenewed) {
        isRenewed = true
        csrfToken = undefined
      } else if (options.isBackground || !(await assure(refusal.body))) throw refusal
    }
  } catch (error) {
    if (error instanceof CallError) throw error
    if (options.signal?.aborted) throw error
    throw settle(unanswered())
  }
  if (!response.ok) {
    // With an error it answers one.
    const error = settle(await errorOf(response))!
    if (
      error.status === 401 &&
      error.code === 'signed_out' &&
      !options.staysSignedOut &&
      !options.isBackground
    )
      goToLogin()
    throw error
  }
  settle()
  noteAge(response)
  noteServerTime(response)
  if (response.status === 204 || (response.status === 202 && !endpoint.mayBePrepared))
    return undefined as AnswerOf<E>
  return (await response.json()) as AnswerOf<E>
}

/** A failure that is logged only, by decision for some screens: the console gets the HTTP status. */
export const logFailure = (what: string, error: unknown): void => {
  console.error(`${what}: HTTP ${error instanceof CallError ? error.status : 0}`)
}
