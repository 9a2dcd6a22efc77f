import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Words that only the product's domain has. Shift and program are missing: they are a key and software as well. */
const domainWord =
  /\b(affiliates?|agreements?|clinical|cohorts?|colleges?|evaluations?|facult(y|ies)|preceptors?|rotations?|sites?|students?|supervisors?|verifications?)\b/i

test('E8 the parts of web/ui know no word of the domain: what does is in web/shared', () => {
  const files = globSync('web/ui/**/*.{ts,tsx,css}').filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(50)
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => domainWord.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
