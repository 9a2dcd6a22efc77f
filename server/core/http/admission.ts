import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { admitKey } from '#server/core/auth/api-key.ts'
import { admitInbox } from '#server/core/auth/inbox-link.ts'
import type { SignedIn } from '#server/core/auth/session.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import { plainAddress } from '#server/core/runtime/ip-access.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { guardInbox, guardKey } from './guard.ts'
import { quarterHour, throttle } from './throttle.ts'

/** What of a route decides who is let in. */
interface Admitting {
  endpoint: AnyEndpoint
  services: Services
  isSecure: boolean
}

/** Failed keys of an address in a quarter of an hour; a system that calls with a revoked key must not keep the database busy. */
const maxFailures = 300

/** Who was let in: by a session, a key or an inbox link. */
const admitted = new WeakMap<FastifyRequest, SignedIn>()

/** Who calls; undefined for whoever has not signed in. */
export const callerOf = (request: FastifyRequest): SignedIn | undefined => admitted.get(request)

/** Keeps who has signed in. */
export const noteCaller = (request: FastifyRequest, caller: SignedIn): void =>
  void admitted.set(request, caller)

/**
 * The key that a call brings. With one, cookies count for nothing. Other schemes belong to whoever stands before this server.
 */
export const keyOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer(?: +(\S*) *)?$/i.exec(headers.authorization ?? '')?.[1] ??
  (/^Bearer\b/i.test(headers.authorization ?? '') ? '' : undefined)

/**
 * Lets a call with a key in, before its body is read: whoever has no good key learns nothing about what was sent.
 *
 * @throws Failure 401, 403, or 429 when the key's calls of this minute are used up
 */
export const admitByKey = async (
  { endpoint, services }: Admitting,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<void> => {
  const address = plainAddress(request.ip)
  const found = await admitKey(services.pool, key, address).catch(async (error: unknown) => {
    if (error instanceof Failure && error.status === 401) {
      reply.header('www-authenticate', 'Bearer error="invalid_token"')
      await throttle(services.pool, [
        { key: `api-key:address:${address}`, max: maxFailures, windowSeconds: quarterHour },
      ])
    }
    throw error
  })
  const { limit, remaining, seconds } = found.use
  reply.header('ratelimit-policy', `"key";q=${limit};w=60`)
  reply.header('ratelimit', `"key";r=${Math.max(0, remaining)};t=${seconds}`)
  if (remaining < 0)
    throw fail(
      coreFailures.key_throttled,
      { Name: found.user.key?.Name ?? '', Limit: limit, Seconds: seconds },
      { retryAfterSeconds: seconds },
    )
  guardKey(endpoint, found, request.params)
  admitted.set(request, found)
}

/** The text of a header that comes once. */
export const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Counts an inbox link that is none against the address that tries it, and goes on with the failure. */
export const countUnknownInbox = async (
  services: Services,
  address: string,
  error: unknown,
): Promise<never> => {
  if (error instanceof Failure && error.status === 404)
    await throttle(services.pool, [
      { key: `inbox:address:${plainAddress(address)}`, max: maxFailures, windowSeconds: quarterHour },
    ])
  throw error
}

/**
 * Lets a call with an inbox link in, before its body is read. With one, the session counts for nothing.
 *
 * @throws Failure 401, 403, 404; 429 for an address that tries links
 */
export const admitByInbox = async (
  { endpoint, services, isSecure }: Admitting,
  request: FastifyRequest,
  token: string,
): Promise<void> => {
  const { cookies } = request
  const account = headerOf(request, 'x-account') ?? ''
  const found = await admitInbox(services.pool, token, account, { cookies, isSecure }).catch(
    (error: unknown) => countUnknownInbox(services, request.ip, error),
  )
  guardInbox(endpoint, request, services, found)
  admitted.set(request, found)
}
