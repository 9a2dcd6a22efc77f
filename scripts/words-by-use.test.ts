import { expect, test } from 'vitest'
import { textsNamedIn } from './words-by-use.ts'

test('a module brings the texts that it names: alone, as a plural pair, or by how their names begin', () => {
  expect(textsNamedIn(`words('ui.tryAgain')`)).toEqual(['ui.tryAgain'])
  expect(textsNamedIn('words("ui.unsaved", { count })')).toEqual(['ui.unsaved_one', 'ui.unsaved_other'])
  const begun = textsNamedIn(['words(`communication.$', '{chapter}Title`)'].join(''))
  expect(begun.length).toBeGreaterThan(10)
  expect(begun.every((path) => path.startsWith('communication.'))).toBe(true)
  expect(textsNamedIn(`import './ui.css'; fetch('ui.nothing')`)).toEqual([])
})
