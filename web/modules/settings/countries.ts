import { alphabetical } from '#contract/core/alphabet.ts'

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** The English name of a country, or its two letters where there is none. */
export const countryName = (code: string): string => names.of(code) ?? code

/** Codes that name a union or nothing at all, and codes that are only another word for a country. */
const isCountry = (code: string): boolean =>
  names.of(code) !== undefined &&
  !/^(EU|EZ|UN|ZZ|QO|XA|XB)$/.test(code) &&
  Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** All countries (ISO 3166-1) by name, as the browser knows them. */
export const allCountries = (): { value: string; label: string }[] =>
  letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .filter(isCountry)
    .map((code) => ({ value: code, label: countryName(code) }))
    .toSorted((a, b) => alphabetical(a.label, b.label))
