import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { en } from './en.ts'

const texts = Object.entries(en).flatMap(([part, of]) =>
  Object.entries(of).map(([name, text]) => [`${part}.${name}`, String(text)] as const),
)

/** What choices and fields say under what is typed there; no list of rows does. */
const ofChoices = [
  'account.noCollege',
  'procedureLog.noMatch',
  'scheduling.noMatch',
  'scheduling.noShifts',
  'shell.searchNothing',
]

test('one text blames filters and the search, and lists show it only while one is set', () => {
  const blaming = texts
    .filter(([, text]) => /^(no|nothing|none)\b.*\bmatch|\bthese filters|change the filters/i.test(text))
    .map(([name]) => name)
  expect(blaming.sort()).toEqual([...ofChoices, 'ui.noMatches'].sort())
  const users = globSync('web/**/*.tsx').filter((file) =>
    readFileSync(file, 'utf8').includes("'ui.noMatches'"),
  )
  expect(users).toEqual(['web/ui/EmptyList.tsx'])
})

/** Lists of pages with filters or a search that do not narrow this list, each with the reason. */
const unfiltered: Record<string, string> = {
  'web/modules/safety/IncidentsPage.tsx': 'open and closed are two lists, each with its own text',
  'web/modules/requirements/ExemptionRequestsPage.tsx':
    'waiting and decided are two lists, each with its own text',
  'web/modules/reports/EmploymentReportPage.tsx: empty={{ text: words(':
    'rates by year, above the list that is narrowed',
}

test('every list beside a search or a filter that can be reset says whether one is set', () => {
  const silent = globSync('web/modules/**/*.tsx').flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    const isNarrowed = /<SearchBox\b|<ListFilters\b|\bonReset=/.test(code)
    const lists = [...code.matchAll(/\bempty=\{\{?((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}/g)]
    return isNarrowed
      ? lists
          .filter(([, given = '']) => !/filters\b|empty$/.test(given))
          .map(([given]) => `${file}: ${given}`)
      : []
  })
  expect(silent.filter((each) => !Object.keys(unfiltered).some((known) => each.startsWith(known)))).toEqual(
    [],
  )
})
