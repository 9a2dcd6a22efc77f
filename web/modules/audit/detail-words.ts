import { fieldWords, isNumberOf } from '#contract/audit/field-words.ts'
import { isObject } from '#contract/core/is-object.ts'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import type { WordKey, Words } from '#web/words/plain-words.ts'

const known: Readonly<Record<string, WordKey>> = {
  ByKey: 'audit.ofKey',
  ByLink: 'audit.ofLink',
  ViewingAs: 'audit.viewingAs',
  WrittenReason: 'audit.reasonGiven',
  Fields: 'audit.fields',
  Before: 'audit.before',
  After: 'audit.after',
}

/** What is of use to the program alone: in which program it was, and which version of it was seen. */
const isLeftOut = (name: string): boolean => /^(?:programId|ProgramId|Revision|Id|Seen)$/.test(name)

/** The name of a field, as people say it. */
export const detailName = (words: Words, name: string): string => {
  const key = known[name]
  return key ? words(key) : fieldWords(name)
}

const dateText = /^\d{4}-\d\d-\d\d$/
const instantText = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/

/** A value, as people say it: no codes, no brackets. */
export const detailText = (words: Words, zone: string, name: string, value: unknown): string => {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return words(value ? 'audit.yes' : 'audit.no')
  if (typeof value === 'number')
    return isNumberOf(name) ? words('audit.numberOf', { number: value }) : value.toLocaleString('en-US')
  if (typeof value === 'string')
    return dateText.test(value)
      ? formatDate(value)
      : instantText.test(value)
        ? formatInstant(value, zone)
        : value
  if (Array.isArray(value)) {
    if (value.length === 0) return '–'
    const areNumbers = value.every((each) => typeof each === 'number' || isObject(each))
    if (areNumbers) return words('audit.count', { count: value.length })
    const isNames = name === 'Fields'
    return value
      .map((each) => (isNames ? detailName(words, String(each)) : detailText(words, zone, name, each)))
      .join(', ')
  }
  return factsOf(words, zone, value as Record<string, unknown>)
    .map(([field, text]) => `${field}: ${text}`)
    .join(' · ')
}

/** What a note of the audit says besides, by name; what only the program reads is left out. */
export const factsOf = (
  words: Words,
  zone: string,
  detail: Readonly<Record<string, unknown>>,
): [name: string, text: string][] =>
  Object.entries(detail)
    .filter(([name]) => !isLeftOut(name))
    .map(([name, value]) => [detailName(words, name), detailText(words, zone, name, value)])
