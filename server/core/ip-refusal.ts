import type { FastifyReply, FastifyRequest } from 'fastify'
import { IpBlockMode } from '#contract/ip-access.ts'
import { Failure } from './failure.ts'
import { plainAddress } from './ip-access.ts'
import type { Services } from './services.ts'

const message = (address: string): string =>
  `Practicum cannot be reached from your address, ${address}. Use the network of your college, or give the address to your administrator.`

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Everything else of the product is refused to the reader, so the page brings its own few lines of style. */
const page = (address: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not available from here · Practicum</title>
<style>
body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: #F7F5F2; color: #1F1D1A; font: 15px/22px system-ui, sans-serif }
main { max-width: 440px; margin: 16px; padding: 24px; border: 1px solid #E6E1DA; border-radius: 16px; background: #FFFFFF }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 28px }
p { margin: 0; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) {
  body { background: #131210; color: #ECE9E4 }
  main { border-color: #312E2A; background: #1B1A18 }
}
</style>
</head>
<body><main><h1>Not available from here</h1><p>${escaped(message(address))}</p></main></body>
</html>`

/** What watches over the process asks from inside, and tells nothing about people. */
const isProbe = (url: string): boolean => /^\/(healthz|readyz|metrics)(\?|$)/.test(url)

/**
 * IP access (specification 2 §2.5), asked before anything else: while the mode is ON, an address that is not let in gets
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
  const verdict = await services.ipAccess.check(request.ip)
  if (verdict.mode === IpBlockMode.off || verdict.isAllowed) return
  services.ipAccess.note(request.ip, verdict)
  if (verdict.mode === IpBlockMode.warn) return
  const address = plainAddress(request.ip)
  // Forms from other sites are pages too; calls are the only ones whose answer a person does not see.
  const isPage = !request.url.startsWith(`${services.config.appRoot}/new/api/`)
  if (!isPage) throw new Failure(403, 'ip_refused', message(address))
  return reply
    .code(403)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page(address))
}
