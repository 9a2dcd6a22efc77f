import type { ErrorBody } from '#contract/core/endpoint.ts'
import { language } from '#web/words/language.ts'
import { appRoot } from '../root.ts'
import { announce } from './changes.ts'
import type { AnyQueueKind, Item } from './item.ts'
import type { Round } from './last-round.ts'
import { alone } from './locks.ts'
import { change, isWaiting, lockOf, settle } from './queue.ts'
import { listItems } from './stores.ts'

/** What became of one attempt to send. */
type Sent = 'taken' | 'refused' | 'unanswered'

const answerMs = 15_000
/** Files of 20 MB on a phone's connection. */
const filesMs = 180_000

interface Session {
  account: number
  csrfToken: string
}

const send = (path: string, init: RequestInit, ms: number): Promise<Response> =>
  fetch(`${appRoot}/new/api${path}`, {
    ...init,
    // A page of a hotel's network is no answer.
    redirect: 'error',
    signal: AbortSignal.timeout(ms),
  })

const jsonOf = async <T>(response: Response): Promise<T | undefined> =>
  response.headers.get('content-type')?.startsWith('application/json')
    ? ((await response.json()) as T)
    : undefined

/** Who is signed in now, with a token for changes. Nobody's doing: it does not keep the session alive. */
export const readSession = async (): Promise<Session | 'signed-out' | undefined> => {
  const response = await send('/auth/session', { headers: { 'x-background': '1' } }, answerMs)
  if (response.status === 401) return 'signed-out'
  const found = response.ok ? await jsonOf<{ User: { Id: number }; CsrfToken: string }>(response) : undefined
  return found && { account: found.User.Id, csrfToken: found.CsrfToken }
}

/** Makes a change that waits in no queue, as the service worker does; whether it was taken. */
export const changeAs = async (
  { account, csrfToken }: Session,
  path: string,
  body: object,
): Promise<boolean> => {
  const headers = {
    'x-csrf-token': csrfToken,
    'x-account': String(account),
    'x-background': '1',
    'content-type': 'application/json',
  }
  return (await send(path, { method: 'POST', headers, body: JSON.stringify(body) }, answerMs)).ok
}

const addressOf = (path: string, { params = {}, query = {} }: Item['input']): string => {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString()
  return search ? `${filled}?${search}` : filled
}

const bodyOf = (input: Item['input'], files: Item['files']): BodyInit | null => {
  if (!files) return input.body === undefined ? null : JSON.stringify(input.body)
  const form = new FormData()
  for (const [name, value] of Object.entries((input.body ?? {}) as object))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  for (const [name, parts] of Object.entries(files)) for (const part of parts) form.append(name, part)
  return form
}

/**
 * Answers that decide nothing: the change is kept, and sent again later. Whoever views as somebody else is told at once: in
 * that person's name nothing will ever be sent from here.
 */
const saysNothing = (status: number): boolean => [401, 403, 408, 425, 429].includes(status) || status >= 500

/** Sends one item as it was kept: in the shape of its version, under its key, for its account. */
const sendItem = async (item: Item, kind: AnyQueueKind, { csrfToken }: Session): Promise<Sent> => {
  const input: Item['input'] = kind.atSending?.(item.input) ?? item.input
  const headers: Record<string, string> = {
    'x-csrf-token': csrfToken,
    'x-account': String(item.account),
    // A refusal is kept as it comes, and shown on the page.
    'x-language': language,
    'idempotency-key': item.key,
    ...(!item.files && input.body !== undefined && { 'content-type': 'application/json' }),
  }
  const { method, path } = kind.call
  const response = await send(
    addressOf(path, input),
    { method, headers, body: bodyOf(input, item.files) },
    item.files ? filesMs : answerMs,
  )
  if (response.ok) {
    const isOurs = response.status === 204 || (await jsonOf(response)) !== undefined
    return isOurs ? 'taken' : 'unanswered'
  }
  const { Message, Code } = (await jsonOf<Partial<ErrorBody>>(response)) ?? {}
  const isOpen = saysNothing(response.status) && Code !== 'viewing'
  // Whatever is between may answer, too; our server says why.
  if (isOpen || Message === undefined) return 'unanswered'
  await change({ ...item, refusal: Message, ...(Code && { refusalCode: Code }) })
  return 'refused'
}

/** Sends a group, oldest first, up to the first item that is not answered or that another window works on. */
const sendGroup = async (
  group: string,
  session: Session,
  kinds: readonly AnyQueueKind[],
): Promise<boolean> => {
  const items = (await listItems(session.account)).filter((item) => item.group === group && isWaiting(item))
  let count = 0
  const tell = () => {
    const [kind] = items.map((item) => item.kind)
    if (kind && count > 0) announce({ account: session.account, sent: { kind, count } })
  }
  for (const item of items) {
    const kind = kinds.find(({ name }) => name === item.kind)
    // A newer version of the product kept it: that one sends it.
    const isKnown = kind && item.version <= (kind.call.keptOffline?.version ?? 1)
    const sent = isKnown
      ? await alone(lockOf(item), () => sendItem(item, kind, session).catch((): Sent => 'unanswered'))
      : undefined
    if (!isKnown || sent === undefined || sent === 'unanswered') {
      tell()
      return false
    }
    if (sent === 'taken') {
      count++
      await settle(kind, item)
    }
  }
  tell()
  return true
}

/**
 * Sends what waits for whoever is signed in now: `account` alone, where it is given. One window does it at a time. An item
 * that is not answered holds up its group and no other.
 */
export const sendKept = async (kinds: readonly AnyQueueKind[], account?: number): Promise<Round> => {
  const isAnythingThere = (await listItems(account)).some(isWaiting)
  if (!isAnythingThere) return 'done'
  const session = await readSession().catch(() => undefined)
  if (session === undefined) return 'waiting'
  if (session === 'signed-out') return session
  if (account !== undefined && session.account !== account) return 'waiting'
  const waiting = (await listItems(session.account)).filter(isWaiting)
  const rounds = await Promise.all(
    [...new Set(waiting.map(({ group }) => group))].map((group) =>
      alone(`group ${session.account} ${group}`, () => sendGroup(group, session, kinds)),
    ),
  )
  return rounds.every((isDone) => isDone === true) ? 'done' : 'waiting'
}
