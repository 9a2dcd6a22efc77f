import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allPages } from '#contract/core/pages.ts'

const web = join(import.meta.dirname, '..', 'web')
const listed = new Map(
  [
    ...['own-pages.ts', 'staff-pages.ts']
      .map((file) => readFileSync(join(web, file), 'utf8'))
      .join('\n')
      .matchAll(/^ {2}'?([^\s':]*)'?: screen\(\s*\(\) => import\('\.\/(.+?)'\)/gm),
  ].map(([, path, module]) => [path!, module!]),
)

test('E2 the table says of each page what can be tried on it: a form, rows edited in place, a list', () => {
  const parts = {
    form: ['form/Form.tsx'],
    rows: ['grid/InlineGrid.tsx'],
    list: ['grid/Grid.tsx', 'grid/TickGrid.tsx'],
  }
  for (const { path, holds = [] } of allPages.filter((page) => page.path !== 'login')) {
    const source = readFileSync(join(web, listed.get(path)!), 'utf8')
    const found = Object.entries(parts).flatMap(([name, files]) =>
      files.some((file) => source.includes(`#web/ui/${file}`)) ? [name] : [],
    )
    expect([...holds].toSorted(), path).toEqual(found.toSorted())
  }
})

test('E2 screens go to pages by the paths of the table: one file alone speaks to the router without types', () => {
  const uses = [...listed.values()].filter((module) =>
    /\buseNavigate\b/.test(readFileSync(join(web, module), 'utf8')),
  )
  expect(uses).toEqual([])
})
