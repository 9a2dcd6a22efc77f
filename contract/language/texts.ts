import type { Language } from './language.ts'

/**
 * A text with a form for each language it is said in. `{Name}` is filled in; `{Count|day|days}` is the first word where its value is
 * 1 or true, else the second.
 */
export interface Text<E extends string = string> {
  readonly en: E
  readonly es?: string | undefined
}

/** What a text is filled with: words and numbers, or further sentences, which are said in the same language. */
export type Value = string | number | boolean | Sentence | readonly Sentence[]

type Holes<T extends string> = T extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never
type NameIn<Hole extends string> = Hole extends `${infer Name}|${string}` ? Name : Hole
type Names<T extends string> = NameIn<Holes<T>>

/** The values that an English text asks for. */
type Values<T extends string> = {
  readonly [N in Names<T>]: T extends `${string}{${N}|${string}` ? number | boolean : Exclude<Value, boolean>
}

/** The last parameters of what fills a text: its values where it has any, then the rest. */
export type Filling<T extends string, Rest extends unknown[] = []> = [Names<T>] extends [never]
  ? Rest
  : [values: Values<T>, ...Rest]

/** A text in another language, which fills in what the English one does. */
export type Translated<E extends string, S extends string> = [Names<E>, Names<S>] extends [Names<S>, Names<E>]
  ? S
  : `has to fill in ${Names<E>}`

/** A text with its values, to be said when its reader is known. It is plain data, and survives being kept as JSON. */
export interface Sentence<T extends Text = Text> {
  readonly text: T
  readonly values: Readonly<Record<string, Value>>
}

/** Declares a text. */
export const text = <const E extends string, const S extends string>(
  en: E,
  es?: Translated<E, S>,
): Text<E> => ({ en, es })

/** Fills a text in. */
export const sentence = <E extends string, T extends Text<E>>(
  text: T & Text<E>,
  ...[values]: Filling<E>
): Sentence<T> => ({ text, values: values ?? {} })

/** A value as its reader is told it. */
export const valueIn = (value: Value, language: Language): string | number | boolean =>
  typeof value !== 'object'
    ? value
    : 'text' in value
      ? inLanguage(value, language)
      : value.map((each) => inLanguage(each, language)).join(' ')

/** Says a sentence. What a language has no text for is said in English. */
export const inLanguage = ({ text, values }: Sentence, language: Language): string =>
  (text[language] ?? text.en).replace(
    /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g,
    (_, name: string, one?: string, other = '') => {
      // Types ask for the value of each name.
      const value = values[name]!
      return one === undefined ? `${valueIn(value, language)}` : value === 1 || value === true ? one : other
    },
  )
