import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level, type LevelName } from '#contract/core/levels.ts'

/** The levels in the order of the table's columns. */
export const matrixLevels = (Object.keys(Level) as LevelName[]).filter(
  (name) => name !== 'Unknown' && name !== 'Inactive',
)

/** Method and path → names of the levels that may call it in their own program; `everyone` for open calls. */
export const readMatrix = (): Map<string, string[]> => {
  const text = readFileSync(join(import.meta.dirname, 'access-matrix.tsv'), 'utf8')
  return new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => {
        const [call = '', who = ''] = line.split('\t')
        return [call, who.split(' ')]
      }),
  )
}
