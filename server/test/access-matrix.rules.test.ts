import { expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { allEndpoints } from '#contract/index.ts'
import { sensitivityOf } from '#server/core/http/sensitive.ts'
import { matrixLevels, readMatrix } from './access-matrix.ts'

/** Open to persons who are named for it: of those whom the level lets in, the matrix has none. */
const toNamedPersons = new Set(['GET /programs/:programId/pregnancy-declarations'])

test('D1-248 the permission of each call opens it to the levels of access-matrix.tsv', () => {
  const matrix = readMatrix()
  for (const endpoint of allEndpoints) {
    const { method, path, may: who } = endpoint
    if (who === 'everyone') continue
    const levels = matrixLevels.filter(
      (level) => who === 'signed-in' || may({ AccessLevel: Level[level], SuperAdminAreas: null }, who),
    )
    const call = `${method} ${path}`
    const known = matrix.get(call)
    if (toNamedPersons.has(call)) expect(levels, call).toEqual(expect.arrayContaining(known ?? [call]))
    // Whoever is above the program brings a written reason, which the matrix does without: sensitive-classes.test.ts brings one.
    else if (levels.length > (known?.length ?? 0) && sensitivityOf(endpoint).classes.size > 0)
      expect(
        levels.filter((level) => level !== 'SuperAdmin'),
        call,
      ).toEqual(known)
    else expect(levels, call).toEqual(known)
  }
})
