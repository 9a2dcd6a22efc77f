import type { Language } from '#contract/language/language.ts'

/** A page says its language in `<html lang>`, as the server wrote it; the service worker, which has no page, in its own address. */
const told = globalThis.document?.documentElement.lang ?? globalThis.location?.search

/** The language of this page. A page has one for as long as it lives: another language is another page. */
export const language: Language = /^es|lang=es/.test(told ?? '') ? 'es' : 'en'

/** How dates, lists and plurals are written on this page: in both languages as people of the United States write them. */
export const locale: string = `${language}-US`
