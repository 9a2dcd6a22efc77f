import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { levels, readsLanguages } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { problems } from '#contract/core/problems.ts'
import { allEndpoints } from '#contract/index.ts'
import { inLanguage, sentence } from '#contract/language/texts.ts'
import { spanishTerms } from '#contract/terminology/spanish-terms.ts'
import { termDefaults, termKeys } from '#contract/terminology/terminology.ts'
import { labelOf, sentenceOf } from '#server/core/http/input.ts'
import { type MailKind, summaryOf } from '#server/core/mail/email-kind.ts'
import { mailKinds } from '#server/core/mail/mail-kinds.ts'
import { noticeIn, noticesIn } from './spanish.ts'
import { spanishLabels } from './spanish-labels.ts'
import { spanishNotices } from './spanish-notices.ts'

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

test('each Spanish text of the server names only what the English one has, and none is the English one', () => {
  for (const [english, other] of spanishNotices) {
    expect(placeholders(english), english).toEqual(expect.arrayContaining(placeholders(other)))
    expect(other).not.toBe(english)
  }
})

test('every term has its Spanish word in two forms', () => {
  expect(Object.keys(spanishTerms).sort()).toEqual([...termKeys].sort())
  // The same word in both.
  for (const key of termKeys.filter((each) => each !== 'supervisor'))
    expect(spanishTerms[key].value).not.toBe(termDefaults[key].value)
})

/** Digests that only staff get. */
const ofStaff = /^(SHIFT_change_asked|SITE_|TIME_change_asked|EVALUATION_|REQUIREMENT_weekly)/

test('every email of several lines is headed in Spanish', () => {
  for (const [label, { summary }] of Object.entries<MailKind>(mailKinds))
    if (summary && !ofStaff.test(label))
      for (const count of [1, 3]) {
        const english = summaryOf(summary, count)
        expect(noticeIn(english, 'es'), label).not.toBe(english)
      }
})

/** Notifications of staff alone. */
const toldToStaff =
  /^(time_change_asked|shift_request_asked|evaluation_completed|low_score|placement_together|recheck_asked|site_\w+|shared_site|access|registrant)$/

test('what students, graduates and supervisors are told in the product is said in Spanish', () => {
  // A kind and its text beside each other, with one and with several of what is counted.
  const told = globSync('server/modules/**/*.ts', {
    exclude: ['**/*.test.ts', '**/placement/explain.ts'],
  }).flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /accountId[^{}]{0,200}kind: '(\w+)'[^{}]{0,120}?text: (?:'([^'\n]+)'|`([^`]+)`)/g,
      ),
    ].map(([, kind = '', plain, filled = '']) => ({ kind, text: plain ?? filled })),
  )
  expect(told.length).toBeGreaterThan(8)
  const filledIn = (text: string): string =>
    text
      .replace(/\$\{many\(Shifts.*?\)\}/, '3 shifts')
      .replace(/\$\{many\(Records.*?\)\}/, '3 punches')
      .replace(/\$\{isAccepted[^}]*\}/, 'Accepted')
      .replace(/\$\{IsExpired[^}]*\}/, 'Expired')
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7')
  const english = told
    .filter(
      ({ kind, text }) =>
        !toldToStaff.test(kind) && !/^Long overdue|says that someone else signed/.test(text),
    )
    .map(({ text }) => filledIn(text))
    .filter((text) => noticeIn(text, 'es') === text)
  expect(english).toEqual([])
  for (const text of [
    'Overdue: 1 evaluation',
    'Overdue: 3 evaluations',
    'Due 12/01/2026: 1 evaluation',
    'Due 12/01/2026: 3 evaluations',
    '1 new evaluation to complete',
    '3 new evaluations to complete',
    'Ada Renner asks for an evaluation: Midterm',
    'Your absence on 12/01/2026 was approved.',
    '3 of your absences were approved.',
    '1 shift without a time record: report your hours or the absence.',
    '1 punch without the other half: report the missing time.',
    'Document added: Handbook',
  ])
    expect(noticeIn(text, 'es'), text).not.toBe(text)
})

test('English stays as it is to the letter, and so does what is not known', () => {
  expect(noticeIn('Something of a person', 'es')).toBe('Something of a person')
  expect(noticesIn('<ul><li>01/02/2030 07:00: no clock-out</li></ul>', 'es')).toBe(
    '<ul><li>01/02/2030 07:00: sin salida</li></ul>',
  )
})

/** The labels of what bodies of these calls hold. */
const bodyLabels = (json: JsonSchema): string[] => [
  ...Object.entries(json.properties ?? {}).flatMap(([name, field]) => [
    labelOf([name]),
    ...bodyLabels(field),
  ]),
  ...[...(json.anyOf ?? json.oneOf ?? []), ...(json.items ? [json.items] : [])].flatMap(bodyLabels),
]
interface JsonSchema {
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
}

test('a problem of a field names it in Spanish, in each call that readers of Spanish make', () => {
  const readers = levels.map(({ Id }) => Id).filter(readsLanguages)
  const made = allEndpoints.filter(
    ({ may: who }) =>
      who === 'everyone' ||
      who === 'signed-in' ||
      readers.some((AccessLevel) => may({ AccessLevel, SuperAdminAreas: null }, who)),
  )
  const labels = new Set(
    made.flatMap(({ body }) =>
      body ? bodyLabels(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema) : [],
    ),
  )
  expect([...labels].filter((label) => !spanishLabels[label])).toEqual([])
  expect(Object.keys(spanishLabels).filter((label) => !labels.has(label))).toEqual([])

  const problemOf = (path: (string | number)[]) => sentenceOf(path, sentence(problems.required))
  expect(inLanguage(problemOf(['FirstName']), 'es')).toBe('Nombre: este campo es obligatorio.')
  expect(inLanguage(problemOf(['Lines', 1, 'Count']), 'es')).toBe(
    'Cantidad (fila 2): este campo es obligatorio.',
  )
  expect(inLanguage(problemOf(['FirstName']), 'en')).toBe('First name is required.')
})
