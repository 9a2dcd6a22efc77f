import type { FastifyInstance } from 'fastify'
import { isLanguage, type Language } from '#contract/language/language.ts'

/** The worker loads nothing but the icon of notifications: it asks this server, and no page of any other can have it do more. */
const workerPolicy = "default-src 'none'; connect-src 'self'; img-src 'self'"

/** What a phone keeps of the build. */
export interface OfflineFiles {
  /** A page of nobody, for browsers that cannot reach the server: with the code of the page that students begin with. */
  shellOf: (language: Language) => string
  /** The service worker. */
  worker: Buffer
  manifest: Buffer
}

/**
 * What lets a phone open the pages without a network, at addresses that no build changes: the service worker, the page that
 * it shows then, and what installs the product. Nothing of them is anybody's, and browsers ask for all of them anew.
 */
export const serveOfflineFiles = (app: FastifyInstance, base: string, files: () => OfflineFiles): void => {
  app.get(`${base}/sw.js`, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', workerPolicy)
      .type('text/javascript; charset=utf-8')
      .send(files().worker),
  )
  // The worker names the language that it keeps: what it fetches comes without cookies.
  app.get<{ Querystring: { lang?: string } }>(`${base}/shell`, (request, reply) => {
    const { lang } = request.query
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(files().shellOf(isLanguage(lang) ? lang : 'en'))
  })
  app.get(`${base}/manifest.webmanifest`, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json; charset=utf-8')
      .send(files().manifest),
  )
}
