import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { coreFailures } from '#contract/core/failures.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import { plainAddress } from '#server/core/runtime/ip-access.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { createTurns } from '#server/core/runtime/turns.ts'

/** Most bytes of a body from whoever is not signed in, where the call declares no other limit. */
export const anonymousBytes = 16 * 1024

/** What refused calls of an address may cost in a minute. A whole college may be behind one address when its sessions have ended. */
export const maxCost = 6_000
const windowSeconds = 60
const flushMs = 1_000
/** Most addresses that a process counts between two writes. */
const maxAddresses = 10_000
/** An anonymous body is small: whoever needs longer for it holds a connection and nothing else. */
const bodyMs = 10_000

/** One caller: of IPv6 the network that a household or a rented machine has all of. */
export const networkOf = (raw: string): string => {
  const address = plainAddress(raw)
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const whole =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest]
  return `${whole.slice(0, 4).join(':')}::/64`
}

/**
 * Counts what the refused calls of addresses cost, over all processes: here between two writes, in the database's throttle once a
 * second. Who has used up a minute's share is refused without looking at what was sent, until the minute is over.
 */
export const createCosts = (pool: pg.Pool) => {
  let costs = new Map<string, number>()
  const refusedUntil = new Map<string, number>()
  let isPlanned = false
  const write = async (): Promise<void> => {
    isPlanned = false
    const told = [...costs]
    costs = new Map()
    const { rows } = await pool.query<{ key: string; count: number; ms: number }>({
      name: 'count refused',
      text: `insert into throttle as t (key, count, window_ends_at)
        select 'refused:' || address, cost, now() + make_interval(secs => $3) from unnest($1::text[], $2::integer[]) u (address, cost)
        order by 1
        on conflict (key) do update set
          count = case when t.window_ends_at < now() then excluded.count else least(t.count, 1000000) + excluded.count end,
          window_ends_at = case when t.window_ends_at < now() then excluded.window_ends_at else t.window_ends_at end
        returning key, count, (extract(epoch from window_ends_at - now()) * 1000)::integer as ms`,
      values: [told.map(([address]) => address), told.map(([, cost]) => cost), windowSeconds],
    })
    const now = performance.now()
    for (const [address, until] of refusedUntil) if (until < now) refusedUntil.delete(address)
    for (const { key, count, ms } of rows) {
      const address = key.slice('refused:'.length)
      if (count > maxCost) refusedUntil.set(address, now + ms)
      else refusedUntil.delete(address)
    }
  }
  return {
    add: (address: string, cost: number): void => {
      if (costs.size >= maxAddresses && !costs.has(address)) return
      costs.set(address, (costs.get(address) ?? 0) + cost)
      if (isPlanned) return
      isPlanned = true
      // Without the database nothing else works either.
      setTimeout(() => void write().catch(() => undefined), flushMs).unref()
    },
    write,
    secondsLeft: (address: string): number =>
      Math.ceil(((refusedUntil.get(address) ?? 0) - performance.now()) / 1000),
  }
}

/** Of calls that nobody has signed in for, so many are worked on at a time: everybody else finds connections and processor free. */
const maxRunning = 4
const maxWaiting = 200

const kept = new WeakMap<Services, ReturnType<typeof create>>()
const create = ({ pool }: Services) => ({
  costs: createCosts(pool),
  turns: createTurns(maxRunning, maxWaiting),
})
const of = (services: Services) => {
  const known = kept.get(services) ?? create(services)
  kept.set(services, known)
  return known
}

/** What this process counts for its installation. */
export const costsOf = (services: Services) => of(services).costs

const anonymous = new WeakSet<FastifyRequest>()

const lengthOf = (request: FastifyRequest): number => Number(request.headers['content-length'] ?? 0) || 0

/** Whether more is sent than anybody may who has not signed in. */
export const isLarge = (request: FastifyRequest): boolean =>
  lengthOf(request) > anonymousBytes || request.headers['transfer-encoding'] !== undefined

/**
 * Lets a call in that nobody has signed in for, before its body is read.
 *
 * @throws Failure 429 for an address whose refused calls have cost enough
 */
export const admitAnonymous = (services: Services, request: FastifyRequest): void => {
  anonymous.add(request)
  const seconds = of(services).costs.secondsLeft(networkOf(request.ip))
  if (seconds > 0) throw fail(coreFailures.network_throttled, { retryAfterSeconds: seconds })
  const { raw } = request
  if (raw.complete || request.method === 'GET') return
  const timer = setTimeout(() => {
    if (raw.complete) return
    raw.socket.end(
      'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n\r\n' +
        JSON.stringify({
          Message: 'The request did not arrive in time. Nothing was changed. Send it again.',
          Code: 'too_slow',
        }),
      () => raw.socket.destroy(),
    )
  }, bodyMs)
  raw.once('end', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
}

/** The turn of a call that nobody has signed in for; at once for everybody else. */
export const enterInTurn = async (
  services: Services,
  request: FastifyRequest,
): Promise<(() => void) | undefined> => (anonymous.has(request) ? of(services).turns.enter() : undefined)

/** What is refused after the database was asked costs so much more: a guess of a password, an answer that no college gave. */
const askedCost = 4

/** Counts a refused call against its address, where nobody had signed in for it, by its size. */
export const countCost = (services: Services, request: FastifyRequest, more = askedCost): void => {
  if (!anonymous.has(request)) return
  const size = Math.min(lengthOf(request), 1024 * 1024)
  of(services).costs.add(networkOf(request.ip), 1 + more + Math.floor(size / 4096))
}

/** The same for what a refusal is known by. */
export const countRefused = (services: Services, request: FastifyRequest, failure: Failure): void => {
  if (failure.status < 400 || failure.status >= 500) return
  if (failure.status === 429 && failure.code === 'throttled') return
  countCost(services, request, failure.code === 'wrong_credentials' ? askedCost : 0)
}
