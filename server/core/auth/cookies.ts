import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/runtime/services.ts'

/** The caller's cookies. They come back with pages of this product only, and scripts read none that is not `isReadable`. */
export interface Cookies {
  get(name: string): string | undefined
  /** All of them, by their names. */
  all(): Readonly<Record<string, string | undefined>>
  set(name: string, value: string, options?: { maxAgeSeconds?: number; isReadable?: boolean }): void
  clear(name: string): void
}

/** Whether people reach the installation over https, where cookies are of this host alone. */
export const isOverTls = ({ config }: Pick<Services, 'config'>): boolean =>
  config.appUrl?.startsWith('https:') ?? false

/** The name of the session's cookie: over https one that only this host can set. */
export const sessionCookie = (services: Services): string =>
  isOverTls(services) ? '__Host-practicum_session' : 'practicum_session'

/** `isSecure`: only over https. */
export const cookiesOf = (request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Cookies => ({
  get: (name) => request.cookies[name],
  all: () => request.cookies,
  set: (name, value, { maxAgeSeconds, isReadable } = {}) => {
    reply.setCookie(name, value, {
      path: '/',
      httpOnly: !isReadable,
      sameSite: 'lax',
      secure: isSecure,
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
    })
  },
  clear: (name) => {
    reply.clearCookie(name, { path: '/', secure: isSecure })
  },
})

/** Keeps the page that was asked for, while the person signs in or does what has to be done before. */
export const redirectCookie = 'practicum_redirect'
export const redirectSeconds = 900
