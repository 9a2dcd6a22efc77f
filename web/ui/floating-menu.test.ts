import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const web = join(import.meta.dirname, '..')

test('each menu is among what the phone’s Back closes', () => {
  const drawing = globSync('**/*.tsx', { cwd: web }).filter((file) =>
    /<Menu[\s>]/.test(readFileSync(join(web, file), 'utf8')),
  )
  expect(drawing).toContain('ui/FloatingMenu.tsx')
  const isTold = (file: string) => /\buse(?:Menu|EscapeFrom)\b/.test(readFileSync(join(web, file), 'utf8'))
  // The row's button, which opens it, tells of it.
  expect(drawing.filter((file) => !isTold(file))).toEqual(['ui/grid/RowMenu.tsx'])
  expect(isTold('ui/grid/RowActions.tsx')).toBe(true)
})
