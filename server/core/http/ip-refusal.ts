import type { FastifyReply, FastifyRequest } from 'fastify'
import { coreFailures } from '#contract/core/failures.ts'
import { IpBlockMode } from '#contract/settings/ip-access.ts'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { plainAddress } from '#server/core/runtime/ip-access.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { plainPage } from './plain-page.ts'

/** What watches over the process asks from inside, and tells nothing about people. */
const isProbe = (url: string): boolean => /^(\/[^?]*)?\/(healthz|readyz|metrics)(\?|$)/.test(url)

/**
 * IP access, asked before anything else: while the mode is ON, an address that is not let in gets
 * nothing but a refusal; with Warn it is noted, and the shells tell its people.
 *
 * @throws Failure 403 for calls; pages get a page
 */
export const refuseAddress = async (
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> => {
  if (isProbe(request.url)) return
  // The socket was closed before its call was looked at, and has no address any longer.
  if (request.raw.socket.destroyed) throw new AbandonedError()
  const verdict = await services.ipAccess.check(request.ip)
  if (verdict.mode === IpBlockMode.off || verdict.isAllowed) return
  services.ipAccess.note(request.ip, verdict)
  if (verdict.mode === IpBlockMode.warn) return
  const refusal = fail(coreFailures.ip_refused, { Address: plainAddress(request.ip) })
  // Forms from other sites are pages too; calls are the only ones whose answer a person does not see.
  const isPage = !request.url.startsWith(`${services.config.appRoot}/new/api/`)
  if (!isPage) throw refusal
  return reply
    .code(403)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(plainPage('Not available from here', refusal.message))
}
