import { type Language, languageCookie } from '#contract/language/language.ts'

/** A page says its language in `<html lang>`, as the server wrote it; the service worker, which has no page, in its own address. */
const told =
  globalThis.document?.documentElement.lang ??
  new URLSearchParams(globalThis.location?.search ?? '').get('lang')

/** The language of this page. A page has one for as long as it lives: another language is another page. */
export const language: Language = told === 'es' ? 'es' : 'en'

/** How dates, lists and plurals are written on this page: in both languages as people of the United States write them. */
export const locale: string = `${language}-US`

const yearSeconds = 31_536_000

/** Keeps a language for whoever uses this browser and has chosen none in the account, and shows the page in it. */
export const chooseLanguage = (chosen: Language): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it with the next page, and no browser of ours lacks cookies
  document.cookie = `${languageCookie}=${chosen}; path=/; max-age=${yearSeconds}; samesite=lax`
  location.reload()
}
