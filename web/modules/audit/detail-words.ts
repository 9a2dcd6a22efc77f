import type { AuditRow } from '#contract/audit/audit.ts'
import { fieldWords, isNumberOf, thingOf } from '#contract/audit/field-words.ts'
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

export type Names = Readonly<Record<string, string>>

/** A record of time in one line: what, when, where, how long. */
const recordText = (record: Record<string, unknown>): string => {
  const { Type, Date: date, Time, EndTime, Site, Hours, Status } = record as Record<string, string>
  const time = [Time, EndTime].filter(Boolean).join(' – ')
  return [Type, `${formatDate(date)} ${time}`, Site, Hours && `${Hours} h`, Status].filter(Boolean).join(', ')
}

const mostNamed = 20
const mostTold = 5

/** A value, as people say it: no codes, no brackets. */
export const detailText = (
  words: Words,
  zone: string,
  name: string,
  value: unknown,
  names: Names = {},
): string => {
  const called = (id: unknown): string | undefined => names[`${thingOf(name)} ${id}`]
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return words(value ? 'audit.yes' : 'audit.no')
  if (typeof value === 'number')
    return (
      called(value) ??
      (isNumberOf(name) ? words('audit.numberOf', { number: value }) : value.toLocaleString('en-US'))
    )
  if (typeof value === 'string')
    return dateText.test(value)
      ? formatDate(value)
      : instantText.test(value)
        ? formatInstant(value, zone)
        : value
  if (Array.isArray(value)) {
    if (value.length === 0) return '–'
    if (name === 'Records' && value.every(isObject)) return value.map(recordText).join('; ')
    if (value.length <= mostNamed && value.every((each) => called(each) !== undefined))
      return value.map(called).join('; ')
    if (value.length <= mostTold && value.every(isObject))
      return value.map((each) => detailText(words, zone, name, each, names)).join('; ')
    const areNumbers = value.every((each) => typeof each === 'number' || isObject(each))
    if (areNumbers) return words('audit.count', { count: value.length })
    const isNames = name === 'Fields'
    return value
      .map((each) => (isNames ? detailName(words, String(each)) : detailText(words, zone, name, each, names)))
      .join(', ')
  }
  return factsOf(words, zone, value as Record<string, unknown>, names)
    .map(([field, text]) => `${field}: ${text}`)
    .join(' · ')
}

/** What a note of the audit says besides, by name; what only the program reads is left out. */
export const factsOf = (
  words: Words,
  zone: string,
  detail: Readonly<Record<string, unknown>>,
  names: Names = {},
): [name: string, text: string][] =>
  Object.entries(detail)
    .filter(([name]) => !isLeftOut(name))
    .map(([name, value]) => [detailName(words, name), detailText(words, zone, name, value, names)])

/** What changed, field by field; the fields of both sides, in the order of the new one. */
export const changesOf = (
  words: Words,
  zone: string,
  { Before, After }: Record<string, unknown>,
  names: Names = {},
) => {
  if (!isObject(Before) || !isObject(After)) return []
  return [...new Set([...Object.keys(After), ...Object.keys(Before)])]
    .filter((field) => JSON.stringify(Before[field]) !== JSON.stringify(After[field]))
    .map((field) => ({
      field: detailName(words, field),
      before: detailText(words, zone, field, Before[field], names),
      after: detailText(words, zone, field, After[field], names),
    }))
}

const mostFacts = 3

/** A change in one line, as it stands beside what was done: which records, what from and to, or else the first facts. */
export const lineOf = (
  words: Words,
  zone: string,
  { Action, Detail, Names: names }: Pick<AuditRow, 'Action' | 'Detail' | 'Names'>,
): string => {
  if (Action.startsWith('GET ')) return ''
  const { Records, ...others } = Detail
  const { Before, After, ...rest } = others
  const hasSides = isObject(Before) && isObject(After)
  const changes = changesOf(words, zone, Detail, names).map(
    ({ field, before, after }) => `${field}: ${before} → ${after}`,
  )
  const facts = factsOf(words, zone, hasSides ? rest : others, names)
    .filter(([, text]) => text !== '–')
    .map(([name, text]) => `${name}: ${text}`)
  return [
    ...(Records ? [detailText(words, zone, 'Records', Records)] : []),
    ...(changes.length > 0 ? changes.slice(0, mostFacts) : Records ? [] : facts.slice(0, mostFacts)),
  ].join(' · ')
}
