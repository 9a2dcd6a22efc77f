import type { FastifyReply, FastifyRequest } from 'fastify'
import { readsLanguages } from '#contract/core/levels.ts'
import { isLanguage, type Language, languageCookie, languageOfHeader } from '#contract/language/language.ts'
import type { User } from '#server/core/auth/session.ts'

/** What a browser prefers: as somebody chose on it without being signed in, else by its own settings. */
export const browserLanguage = (request: FastifyRequest): Language => {
  // Addresses that no route can take are refused before cookies are read.
  const chosen = (request.cookies as FastifyRequest['cookies'] | undefined)?.[languageCookie]
  return isLanguage(chosen) ? chosen : languageOfHeader(request.headers['accept-language'])
}

type Reader = Pick<User, 'AccessLevel' | 'Language' | 'key'>

/**
 * In which language a person reads: that of the page that makes the call, where it says so; else as chosen in the account, else as the
 * browser prefers. English for staff and for systems with keys.
 */
const languageFor = (request: FastifyRequest, reader: Reader | undefined): Language => {
  if (reader && (reader.key || !readsLanguages(reader.AccessLevel))) return 'en'
  const ofPage = request.headers['x-language']
  if (isLanguage(ofPage)) return ofPage
  return reader?.Language ?? browserLanguage(request)
}

const noted = new WeakMap<FastifyRequest, Language>()

/** Notes who is going to read the answer, once that is known. */
export const noteReader = (request: FastifyRequest, reader: Reader | undefined): Language => {
  const language = languageFor(request, reader)
  noted.set(request, language)
  return language
}

/** The language of the answer to a request. While nobody knows who asks, that of the browser. */
export const languageOf = (request: FastifyRequest): Language =>
  noted.get(request) ?? languageFor(request, undefined)

const yearSeconds = 31_536_000

/**
 * Keeps the language that somebody has chosen for a browser by the switch of the entrance (`?language=es`), and shows the same address in
 * it. Answers whether it was chosen. Nothing else depends on the cookie, so a link of somebody else can at most change the language.
 */
export const keepChosenLanguage = (request: FastifyRequest, reply: FastifyReply): boolean => {
  const { language } = request.query as { language?: unknown }
  if (!isLanguage(language)) return false
  reply.setCookie(languageCookie, language, {
    path: '/',
    sameSite: 'lax',
    httpOnly: true,
    maxAge: yearSeconds,
  })
  // The path of our own page: never another host.
  const [path = ''] = request.url.split('?')
  void reply.redirect(path.replace(/^\/+/, '/'), 303)
  return true
}
