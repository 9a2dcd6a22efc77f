import { expect, test } from 'vitest'
import {
  type CopyCode,
  childrenOf,
  copyCodes,
  copyTree,
  forcedBy,
  toggled,
  withNeeded,
} from './program-copy.ts'

const choose = (...codes: CopyCode[]): ReadonlySet<CopyCode> =>
  codes.reduce((chosen, code) => toggled(chosen, code), new Set<CopyCode>() as ReadonlySet<CopyCode>)
const tick = (...codes: CopyCode[]): ReadonlySet<CopyCode> => new Set(withNeeded(choose(...codes)))

test('D3-173 the tree holds the codes of the specification where it says', () => {
  expect(childrenOf('se1')).toEqual(['se2'])
  expect(childrenOf('ma1')).toEqual(['ma2', 'ma20'])
  expect(childrenOf('ma20')).toEqual(['co1', 'pa1'])
  expect(copyTree.ps1.parent).toBeUndefined()
})

test('D3-204 ticking a parent selects what is below it, unticking removes it', () => {
  const ticked = tick('ma1')
  expect([...ticked]).toEqual(expect.arrayContaining(['ma1', 'ma2', 'ma20', 'co1', 'pa1']))
  const without = new Set(withNeeded(toggled(choose('ma1'), 'ma20')))
  expect(without.has('ma2')).toBe(true)
  for (const code of ['ma20', 'co1', 'pa1'] as const) expect(without.has(code)).toBe(false)
  expect(toggled(choose('se1'), 'se1').size).toBe(0)
})

test('D3-205 D3-206 what a ticked entry needs is ticked and held; what it is below is ticked and free', () => {
  const ticked = tick('co1')
  expect([...ticked].toSorted()).toEqual(['co1', 'ma1', 'ma20', 'se1', 'se2'])
  const forced = forcedBy(ticked)
  expect([...forced.keys()].toSorted()).toEqual(['se1', 'se2'])
  expect(forced.get('se2')).toBe('co1')
  const chosen = choose('co1')
  expect(toggled(chosen, 'se1')).toBe(chosen)
  expect(forcedBy(tick('et3')).has('et1')).toBe(false)
  expect(withNeeded(toggled(choose('et1'), 'et1'))).toEqual(expect.not.arrayContaining(['et2', 'et3']))
})

test('A8 unticking takes away what was only ticked because it was needed, and keeps what was chosen', () => {
  for (const code of copyCodes) expect(withNeeded(toggled(choose(code), code)), code).toEqual([])
  expect(withNeeded(choose('se1', 'ma1', 'ma1')).toSorted()).toEqual(['se1', 'se2'])
})

test('D3-207 with all entries ticked nothing is missing; each comes after what it needs', () => {
  const order = withNeeded([...copyCodes].reverse())
  expect(order.toSorted()).toEqual([...copyCodes].toSorted())
  for (const code of order) {
    const { parent, needs = [] } = copyTree[code]
    for (const before of [...(parent ? [parent] : []), ...needs])
      expect(order.indexOf(before), `${before} before ${code}`).toBeLessThan(order.indexOf(code))
  }
})
