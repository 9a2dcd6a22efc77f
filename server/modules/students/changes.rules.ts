import { fieldWords } from '#contract/audit/field-words.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { allEndpoints } from '#contract/index.ts'
import type { StudentChange } from '#contract/students/students.ts'

/** Changes by people. Signing in is no part of it, nor is filling a form, which would tell who wrote one without names. */
export const changeActions: readonly string[] = allEndpoints
  .filter(({ method, may }) => method !== 'GET' && may !== 'everyone')
  .map(({ method, path }) => `${method} ${path}`)
  .filter(
    (action) => /\/programs\/:programId\/|\/clock|\/employment/.test(action) && !action.endsWith('/answers'),
  )

const shown = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'boolean'
      ? value
        ? 'Yes'
        : 'No'
      : Array.isArray(value)
        ? value.map(String).join(', ') || '–'
        : String(value)

const isPlain = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean', 'undefined'].includes(typeof value) ||
  Array.isArray(value)

/** The values that differ, where the row kept them before and after. */
export const fieldsOf = (detail: Record<string, unknown> | null): StudentChange['Fields'] => {
  const { Before, After } = (detail ?? {}) as { Before?: unknown; After?: unknown }
  if (typeof Before !== 'object' || typeof After !== 'object' || !Before || !After) return []
  const [before, after] = [Before as Record<string, unknown>, After as Record<string, unknown>]
  return Object.keys(after)
    .filter(
      (name) =>
        name in before &&
        isPlain(after[name]) &&
        isPlain(before[name]) &&
        shown(after[name]) !== shown(before[name]),
    )
    .map((name) => ({ Field: fieldWords(name), Before: shown(before[name]), After: shown(after[name]) }))
}

/** What a change was about, where its note says so: the day, time and site of a record, how many records, or a last day; else ''. */
export const aboutOf = (detail: Record<string, unknown> | null): string => {
  const { Records, RecordsInAll, LastDay } = detail ?? {}
  if (typeof LastDay === 'string') return formatDate(LastDay)
  if (!Array.isArray(Records) || Records.length === 0) return ''
  if (Records.length > 1) return `${RecordsInAll ?? Records.length} records`
  const [record] = Records
  return [[formatDate(record.Date), record.Time].filter(Boolean).join(' '), record.Site]
    .filter(Boolean)
    .join(', ')
}
