import type { ErrorBody } from '#contract/core/endpoint.ts'
import { type Language, said, sayerOf } from '#contract/language/language.ts'
import { spanishFailures } from './spanish-failures.ts'
import { spanishNotices } from './spanish-notices.ts'
import { spanishWorkFailures } from './spanish-work-failures.ts'

const failures = [...spanishFailures, ...spanishWorkFailures]
const sayFailure = sayerOf(failures)
const sayNotice = sayerOf([...spanishNotices, ...failures])

type Body = ErrorBody & Record<string, unknown>

/** A refusal as its reader understands it: its message, and those of its fields. What programs read stays as it is. */
export const inWords = (body: Body, language: Language): Body =>
  language === 'en'
    ? body
    : {
        ...body,
        Message: said(body.Message, sayFailure),
        ...(body.Errors && {
          Errors: body.Errors.map(({ Field, Message }) => ({ Field, Message: said(Message, sayFailure) })),
        }),
      }

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
