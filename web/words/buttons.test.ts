import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { en } from './en.ts'

/** The code of each element of these names, from its first bracket to its last. */
const elementsOf = (code: string, names: string): string[] =>
  [...code.matchAll(new RegExp(`<(${names})\\b`, 'g'))].map(({ 0: start, 1: name, index }) => {
    let depth = 0
    for (let at = index + start.length; at < code.length; at++) {
      if (code[at] === '{') depth++
      else if (code[at] === '}') depth--
      else if (code[at] === '>' && depth === 0)
        return code.slice(index, code[at - 1] === '/' ? at + 1 : code.indexOf(`</${name}>`, at))
    }
    return ''
  })

const textOf = (key: string): string => {
  const text = key.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown>)?.[part], en)
  return typeof text === 'string' ? text : ''
}

/** Every text of a button by its key, with the files that show it. */
const buttons = new Map<string, { text: string; files: string[] }>()
const screens = globSync('web/**/*.tsx').map((file) => ({ file, code: readFileSync(file, 'utf8') }))
for (const { file, code } of screens)
  for (const element of elementsOf(code, 'Button|AddNew|UnstyledButton'))
    for (const [, key = ''] of element.matchAll(/'([a-z]\w*\.\w+)'/gi))
      if (textOf(key)) {
        const known = buttons.get(key) ?? { text: textOf(key), files: [] }
        buttons.set(key, { ...known, files: [...known.files, file] })
      }
const shown = (pattern: RegExp, free: Record<string, unknown> = {}): string[] =>
  [...buttons]
    .filter(([key, { text }]) => pattern.test(text) && !(key in free))
    .map(([key, { text, files }]) => `${key}: ${text} (${files.join(', ')})`)

test('A51 a button adds, a title is new: no button begins with New', () => {
  expect(buttons.size).toBeGreaterThan(200)
  expect(shown(/^New\b/)).toEqual([])
})

test('A51 D1-141 D3-137 a list says Add New at its top; Add alone ends a form or is beside its field', () => {
  const top = screens.flatMap(({ file, code }) =>
    [...code.matchAll(/words\('(\w+\.(?:add|addNew))'\)/g)]
      .map(([, key = '']) => key)
      .filter((key) => textOf(key) === 'Add')
      .map((key) => `${key} in ${file.split('/').at(-1)}`),
  )
  expect([...new Set(top)].sort()).toEqual([
    'blacklist.add in BlacklistPage.tsx',
    'competencies.add in LinesDialog.tsx',
    'competencies.add in NewListDialog.tsx',
    'evaluations.add in PartsDialogs.tsx',
    'news.add in NewsPage.tsx',
    'plans.add in SystematicPlansPage.tsx',
    'scheduling.add in AssignDialog.tsx',
    'settings.add in GeoIpPage.tsx',
    'time.add in HalfDialog.tsx',
  ])
})

test('A51 D1-129 D3-035 D3-083 a button that adds one thing of several names it, without an article', () => {
  expect(shown(/^(Add|Create) (an?|the) /)).toEqual([])
  expect(
    shown(/^Add (?!New$|more types$|new record$|\{count\}|the other )/).filter(
      (line) => !/: Add \{?([a-z]+|[A-Z]{2,})\}?( \{?[a-z]+\}?)?( \(|$)/.test(line),
    ),
  ).toEqual(['menus.addCategory: Add Category (web/modules/menus/CustomMenuPage.tsx)'])
})

test('A51 D1-129 Create is for what the product makes up: a link, a key, codes', () => {
  expect(shown(/^Create\b(?! .*\b(link|key|codes?)$)/)).toEqual([
    'menus.create: Create (web/modules/menus/CustomMenuPage.tsx)',
  ])
})

test('A51 D2-065 D3-060 D3-078 D3-102 D3-121 filters count at once, but for the five screens with Apply', () => {
  const withApply = screens
    .filter(({ code }) => /^\s+(onApply=\{(?!\(next\))|hasApply$)|words\('\w+\.apply'\)\}$/m.test(code))
    .map(({ file }) => file.split('/').at(-1))
    .filter((file) => !['FilterBar.tsx', 'time-filters.tsx'].includes(file ?? ''))
  expect(withApply.sort()).toEqual([
    'ApproveTimeRecordsPage.tsx',
    'AssignmentsPage.tsx',
    'CertificateField.tsx',
    'EvaluationStatusPage.tsx',
    'ScheduledEmailsPage.tsx',
    'SetLevelsPage.tsx',
  ])
})

test('A51 every row that can be edited shows the pencil before ⋯; one to decide shows the decisions instead', () => {
  const hidden = screens.flatMap(({ file, code }) =>
    [...code.matchAll(/\{[^{}]*icon: <IconPencil\b(?:[^{}]|\{[^{}]*\})*\}/g)]
      .filter(([action]) => !action.includes('quick'))
      .map(() => file),
  )
  expect(hidden).toEqual(['web/modules/time/use-record-actions.tsx'])
})
