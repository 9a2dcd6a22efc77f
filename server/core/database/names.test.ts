import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('no column that says who did something shows a user name', () => {
  const files = globSync('server/modules/**/*.queries.ts')
  expect(files.length).toBeGreaterThan(80)
  const named = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /user_name[^\n]*?(?:as\(|as )['"]\w*By['"]|\w*By: [\w.]*user_name/g,
      ),
    ].map(([text]) => `${file}: ${text}`),
  )
  expect(named).toEqual([])
})
