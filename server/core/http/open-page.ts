import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { coreFailures } from '#contract/core/failures.ts'
import { type Cookies, cookiesOf, isOverTls } from '#server/core/auth/cookies.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { admitAnonymous, countCost, countRefused } from './anonymous.ts'
import { refuseUnusable } from './input.ts'

/** What an open page gets. Everything in it is as the browser sent it: nothing has been checked. */
export interface OpenCall {
  params: Record<string, string>
  query: Record<string, string>
  /** The query as it was written, for what is signed in it. */
  rawQuery: string
  /** The fields of a posted form. */
  form: Record<string, string>
  services: Services
  address: string
  /** What the browser wants it for (`Sec-Fetch-Dest`): `document` for a window, `iframe` for a frame; '' where it does not say. */
  destination: string
  cookies: Cookies
}

export type OpenAnswer =
  | {
      redirect: string
      /** Nothing came of the call: it counts against its address. */
      isRefused?: true
    }
  | {
      type: string
      text: string
      status?: number
      /** Other sites may show it in a frame, and its forms may also post to these sources, if any. */
      framed?: { postsTo?: string }
    }

/**
 * An address that browsers are sent to from other sites and that answers no page of the application: no session, no check of
 * the origin, a form in place of JSON. For protocols that ask for such a thing; everything else is an endpoint.
 */
export interface OpenPage {
  method: 'GET' | 'POST'
  /** Below `{root}/new`, with `:name` for parameters. */
  path: string
  /** Below `{root}` itself: for addresses that a standard names. */
  isBelowRoot?: true
  /** Most bytes of the form. */
  formLimit?: number
  answer: (call: OpenCall) => Promise<OpenAnswer>
  /** Where the browser goes when the page refuses or fails, with what the refusal is called; without it, it gets the status. */
  onFailure?: (services: Services, code: string) => string
}

/** The first value of each name: a name given twice is no list here. */
const flat = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value
      return typeof first === 'string' ? [[name, first]] : []
    }),
  )

/** The content security policy of a page that other sites may show in a frame. */
const framedPolicy = (usual: string, { postsTo = '' }: { postsTo?: string }): string =>
  usual
    .replace("frame-ancestors 'self'", 'frame-ancestors *')
    .replace("form-action 'self'", `form-action 'self' ${postsTo}`.trim())

/** More fields than any form of a protocol has. */
const maxFields = 100
const readForm = (text: string): Record<string, string> => {
  if (text.split('&', maxFields + 1).length > maxFields)
    throw fail(coreFailures.too_many_fields, { Most: maxFields })
  return Object.fromEntries(new URLSearchParams(text))
}

/** Puts open pages on the server, and the reading of forms for them alone. */
export const registerOpenPages = async (
  app: FastifyInstance,
  pages: readonly OpenPage[],
  services: Services,
): Promise<void> => {
  const isSecure = isOverTls(services)
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => readForm(text),
    )
    scope.addHook('onRequest', async (request) => admitAnonymous(services, request))
    for (const { method, path, isBelowRoot, formLimit, answer, onFailure } of pages) {
      scope.route({
        method,
        url: `${services.config.appRoot}${isBelowRoot ? '' : '/new'}${path}`,
        ...(formLimit && { bodyLimit: formLimit }),
        ...(onFailure && {
          errorHandler: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
            if (error instanceof Failure) countRefused(services, request, error)
            else countCost(services, request)
            const isTooLarge = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
            const code = isTooLarge ? 'invalid' : error instanceof Failure ? error.code : undefined
            if (!code) request.log.warn({ err: error, url: request.routeOptions.url }, 'An open page failed')
            return reply.redirect(onFailure(services, code ?? 'fault'), 303)
          },
        }),
        handler: async (request, reply) => {
          reply.header('cache-control', 'no-store')
          for (const sent of [request.params, request.query, request.body])
            refuseUnusable(sent, 'body', false)
          // Whoever has left waits for nothing; the next in line does.
          if (request.socket.destroyed) return reply
          const result = await answer({
            params: flat(request.params),
            query: flat(request.query),
            rawQuery: request.url.split('?', 2)[1] ?? '',
            form: flat(request.body),
            services,
            address: request.ip,
            destination: String(request.headers['sec-fetch-dest'] ?? ''),
            cookies: cookiesOf(request, reply, isSecure),
          })
          if ('redirect' in result ? result.isRefused : (result.status ?? 200) >= 400)
            countCost(services, request)
          if ('framed' in result && result.framed) {
            const usual = String(reply.getHeader('content-security-policy') ?? '')
            reply.header('content-security-policy', framedPolicy(usual, result.framed))
            reply.removeHeader('x-frame-options')
          }
          // 303: whatever the method was, the browser asks for the next address by GET.
          return 'redirect' in result
            ? reply.redirect(result.redirect, 303)
            : reply
                .code(result.status ?? 200)
                .type(result.type)
                .send(result.text)
        },
      })
    }
  })
}
