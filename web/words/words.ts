import { locale } from './language.ts'

type Nested = { readonly [name: string]: string | Nested }
type Keys<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${P}${K}` : Keys<T[K], `${P}${K}.`>
}[keyof T & string]
type StripPlural<K extends string> = K extends `${infer Base}_one` | `${infer Base}_other` ? Base : never
/** The path of a text in a catalogue, such as 'areas.title'; plural pairs are named without _one and _other. */
export type KeyOf<C> = Keys<C> | StripPlural<Keys<C>>

export type Values = Record<string, string | number>

const plurals = new Intl.PluralRules(locale)

const find = (catalogue: Nested, path: string): string | undefined => {
  let found: string | Nested | undefined = catalogue
  for (const name of path.split('.')) found = typeof found === 'object' ? found[name] : undefined
  return typeof found === 'string' ? found : undefined
}

/** A text with the words in braces filled in; one without a value stays as it is. */
export const filled = (text: string, values: Values, always: Values = {}): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name] ?? always[name] ?? all
    return name === 'count' ? value.toLocaleString(locale) : String(value)
  })

/**
 * The texts of a catalogue by their paths. Words in braces are filled in from the values of the call and then from
 * `always`; of a plural pair the one that belongs to the value `count` is taken, which is
 * written with separators. A path that is not there is shown as it is.
 */
export const wordsFrom =
  <const C extends Nested>(catalogue: C, always: Values = {}) =>
  (key: KeyOf<C>, values: Values = {}): string => {
    const text =
      (values.count === undefined
        ? undefined
        : find(catalogue, `${key}_${plurals.select(Number(values.count))}`)) ??
      find(catalogue, key) ??
      find(catalogue, `${key}_other`) ??
      key
    return filled(text, values, always)
  }
