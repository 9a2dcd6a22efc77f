import { type Language, said, sayerOf } from '#contract/language/language.ts'
import { spanishNotices } from './spanish-notices.ts'

const sayNotice = sayerOf(spanishNotices)

/** A heading is told with a period where nothing follows it. */
const notice = (text: string): string => {
  const known = said(text, sayNotice)
  return known === text && text.endsWith('.') ? `${said(text.slice(0, -1), sayNotice)}.` : known
}

/** A line about what happened, as its reader understands it. What is not known stays English. */
export const noticeIn = (text: string, language: Language): string =>
  language === 'en' ? text : notice(text)

/** The same of HTML that was made of such lines: between its tags. */
export const noticesIn = (html: string, language: Language): string =>
  language === 'en' ? html : html.replace(/(?<=>)[^<>]+(?=<)/g, notice)
