import type { ErrorBody } from '#contract/core/endpoint.ts'
import { type Language, type Pair, said, sayerOf } from '#contract/language/language.ts'
import { spanishFailures } from './spanish-failures.ts'

const pairs: readonly Pair[] = spanishFailures
const say = sayerOf(pairs)

/** A text that the server says to people, in their language. English where it has no other words: what only staff read. */
export const inLanguage = (text: string, language: Language): string =>
  language === 'en' ? text : said(text, say)

type Body = ErrorBody & Record<string, unknown>

/** A refusal as the reader understands it: its message, and those of its fields. What programs read stays as it is. */
export const inWords = (body: Body, language: Language): Body =>
  language === 'en'
    ? body
    : {
        ...body,
        Message: inLanguage(body.Message, language),
        ...(body.Errors && {
          Errors: body.Errors.map(({ Field, Message }) => ({
            Field,
            Message: inLanguage(Message, language),
          })),
        }),
      }
