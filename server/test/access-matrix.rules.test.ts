import { expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { allEndpoints } from '#contract/index.ts'
import { matrixLevels, readMatrix } from './access-matrix.ts'

test('D1-248 the permission of each call opens it to the levels of access-matrix.tsv', () => {
  const matrix = readMatrix()
  for (const { method, path, may: who } of allEndpoints) {
    if (who === 'everyone') continue
    const levels = matrixLevels.filter(
      (level) => who === 'signed-in' || may({ AccessLevel: Level[level], SuperAdminAreas: null }, who),
    )
    expect(levels, `${method} ${path}`).toEqual(matrix.get(`${method} ${path}`))
  }
})
