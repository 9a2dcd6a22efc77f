import type { ErrorBody } from '#contract/core/endpoint.ts'
import type { DeclaredFailure, FailureStatus } from '#contract/core/failure.ts'
import { idsAndMore } from '#contract/core/wording.ts'
import type { Language } from '#contract/language/language.ts'
import { type Filling, inLanguage, type Sentence, sentence, valueIn } from '#contract/language/texts.ts'

interface FieldFault {
  Field: string
  Message: string | Sentence
}

/** What a failure tells besides its sentence. */
interface More {
  /** The input at fault, which gets the sentence too. */
  field?: string
  fields?: readonly FieldFault[]
  retryAfterSeconds?: number
  /** Further fields of the error body that an endpoint documents, such as TotpRequired. */
  extra?: Record<string, unknown>
}

/** A refusal as it is thrown. Nobody reads its message's text to decide anything. */
export class Failure extends Error {
  override name = 'Failure'
  readonly status: FailureStatus
  readonly code: string
  readonly sentence: Sentence<DeclaredFailure>
  readonly fields: readonly FieldFault[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly extra: Record<string, unknown> | undefined

  /** @param more what it tells besides, or the field at fault */
  constructor(sentence: Sentence<DeclaredFailure>, more: string | More = {}) {
    super(inLanguage(sentence, 'en'))
    const { field, fields, retryAfterSeconds, extra } = typeof more === 'string' ? { field: more } : more
    this.sentence = sentence
    this.status = sentence.text.status
    this.code = sentence.text.code
    this.fields = field === undefined ? fields : [{ Field: field, Message: sentence }]
    this.retryAfterSeconds = retryAfterSeconds
    this.extra = extra
  }

  /** What the caller is answered, in the language of its reader. */
  body(language: Language): ErrorBody & Record<string, unknown> {
    const say = (message: string | Sentence) =>
      typeof message === 'string' ? message : inLanguage(message, language)
    const values = Object.entries(this.sentence.values)
    return {
      Message: say(this.sentence),
      Code: this.code,
      ...(this.fields && {
        Errors: this.fields.map(({ Field, Message }) => ({ Field, Message: say(Message) })),
      }),
      ...(values.length > 0 && {
        Values: Object.fromEntries(values.map(([name, value]) => [name, valueIn(value, language)])),
      }),
      ...this.extra,
    }
  }
}

/** A declared failure to throw, with the values of its text, then the field at fault or what else it tells. */
export const fail = <E extends string>(
  failure: DeclaredFailure<E>,
  ...rest: Filling<E, [more?: string | More]>
): Failure => {
  // By `Filling` the values come first where the text has any.
  const [values, more] = (failure.en.includes('{') ? rest : [{}, ...rest]) as [Sentence['values'], More?]
  return new Failure({ text: failure, values }, more)
}

/** How many ids of a list a message names; all of them are in `Missing`. */
const mostNamed = 10

/** Refuses a list (404) that names what is not there, or not the caller's, and says by their ids which those are. */
export const refuseMissing = (
  text: DeclaredFailure<`${string}{Ids}${string}`>,
  wanted: Iterable<number>,
  found: Iterable<number>,
): void => {
  const there = new Set(found)
  const missing = [...new Set(wanted)].filter((id) => !there.has(id))
  if (missing.length === 0) return
  const named = missing.slice(0, mostNamed).join(', ')
  const More = missing.length - mostNamed
  const Ids = More > 0 ? sentence(idsAndMore, { Ids: named, More }) : named
  throw new Failure({ text, values: { Ids } }, { extra: { Missing: missing } })
}
