import type { FastifyRequest } from 'fastify'
import {
  isLanguage,
  type Language,
  languageCookie,
  languageOfHeader,
  readsLanguages,
} from '#contract/language/language.ts'
import type { User } from '#server/core/auth/session.ts'

/** What a browser prefers: as somebody chose on it without being signed in, else by its own settings. */
export const browserLanguage = (request: FastifyRequest): Language => {
  const chosen = request.cookies[languageCookie]
  return isLanguage(chosen) ? chosen : languageOfHeader(request.headers['accept-language'])
}

type Reader = Pick<User, 'AccessLevel' | 'Language' | 'key'>

/** In which language a person reads: as chosen in the account, else as the browser prefers. English for staff and for systems with keys. */
const languageFor = (request: FastifyRequest, reader: Reader | undefined): Language => {
  if (!reader) return browserLanguage(request)
  if (reader.key || !readsLanguages(reader.AccessLevel)) return 'en'
  return reader.Language ?? browserLanguage(request)
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
  noted.get(request) ?? browserLanguage(request)
