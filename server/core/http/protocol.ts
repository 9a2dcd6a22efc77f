import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { admitAnonymous, countCost, countRefused } from './anonymous.ts'

/** A call of another protocol. Nothing in it has been checked; cookies are not in it, and count for nothing. */
export interface ProtocolCall {
  method: string
  /** Below the protocol’s own path, without a slash at its end, such as `/Users/7`. */
  path: string
  query: Record<string, string>
  headers: Record<string, string | undefined>
  /** The parsed JSON, if there was a body. */
  body: unknown
  services: Services
  address: string
}

export interface ProtocolAnswer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/**
 * Addresses at which other systems speak a protocol of their own: its methods, its media type, its shape of errors. For protocols
 * that a standard names; everything else is an endpoint.
 */
export interface Protocol {
  /** Below `{root}`. */
  path: string
  methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** Of bodies that come and of answers, beside `application/json`. */
  mediaType: string
  bodyLimit: number
  answer: (call: ProtocolCall) => Promise<ProtocolAnswer>
  /** A failure in the protocol’s own shape: everything that `answer` throws, and what the server refuses before it. */
  onFailure: (error: Error, services: Services) => ProtocolAnswer
}

/** Puts protocols on the server, each with its own reading of bodies and errors. */
export const registerProtocols = async (
  app: FastifyInstance,
  protocols: readonly Protocol[],
  services: Services,
): Promise<void> => {
  const reached = new WeakSet<FastifyRequest>()
  for (const { path, methods, mediaType, bodyLimit, answer, onFailure } of protocols)
    await app.register(async (scope) => {
      const parse = scope.getDefaultJsonParser('error', 'error')
      scope.addContentTypeParser(mediaType, { parseAs: 'string' }, (request, text: string, done) => {
        if (text === '') done(null, undefined)
        else parse(request, text, done)
      })
      scope.addHook('onRequest', async (request) => admitAnonymous(services, request))
      const root = `${services.config.appRoot}${path}`
      scope.route({
        method: [...methods],
        url: `${root}/*`,
        bodyLimit,
        errorHandler: (error, request, reply) => {
          const { status, body, headers = {} } = onFailure(error, services)
          // Before the call is reached nobody has shown a key.
          if (error instanceof Failure) countRefused(services, request, error)
          else if (status === 401 || !reached.has(request)) countCost(services, request)
          if (status >= 500) request.log.error({ err: error, route: path }, 'A request failed')
          return reply.code(status).headers(headers).type(mediaType).send(JSON.stringify(body))
        },
        handler: async (request, reply) => {
          reached.add(request)
          reply.header('cache-control', 'no-store')
          const found = await answer({
            method: request.method,
            path: `/${(request.params as { '*': string })['*']}`.replace(/\/+$/, ''),
            query: Object.fromEntries(
              Object.entries(request.query as Record<string, unknown>).flatMap(([name, value]) => {
                const first = Array.isArray(value) ? value[0] : value
                return typeof first === 'string' ? [[name, first]] : []
              }),
            ),
            headers: Object.fromEntries(
              Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
            ),
            body: request.body,
            services,
            address: request.ip,
          })
          reply.code(found.status).headers(found.headers ?? {})
          return found.body === undefined
            ? reply.send()
            : reply.type(mediaType).send(JSON.stringify(found.body))
        },
      })
    })
}
