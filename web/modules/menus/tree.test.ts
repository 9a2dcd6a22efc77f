import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MenuNode } from '#contract/menus/menus.ts'
import { depthsOf, mayStandIn } from '#contract/menus/menus-rules.ts'
import {
  landing,
  moveDown,
  moveIn,
  moveOut,
  moveUp,
  type Nodes,
  place,
  removeNode,
  shownNodes,
} from './tree.ts'

const node = (
  Key: string,
  ParentKey: string | null = null,
  Kind: MenuNode['Kind'] = 'category',
): MenuNode => ({
  Key,
  ParentKey,
  Kind,
  ItemId: null,
  Name: Key,
  Url: Kind === 'link' ? '/new/' : '',
  IsHidden: false,
})
const isContainer = ({ Kind }: MenuNode) => Kind === 'category'

/** a (a1, a2), b (b1 (b11)), c */
const nodes: Nodes = [
  node('a'),
  node('a1', 'a', 'link'),
  node('a2', 'a', 'link'),
  node('b'),
  node('b1', 'b'),
  node('b11', 'b1', 'link'),
  node('c', null, 'link'),
]

/** 'a(a1 a2) b(b1(b11)) c' */
const told = (list: Nodes, above: string | null = null): string =>
  list
    .filter(({ ParentKey }) => ParentKey === above)
    .map(({ Key }) => {
      const below = told(list, Key)
      return below ? `${Key}(${below})` : Key
    })
    .join(' ')

test('up and down exchange an entry, with all below it, with its neighbor', () => {
  expect(told(moveDown(nodes, 'a', isContainer))).toBe('b(b1(b11)) a(a1 a2) c')
  expect(told(moveUp(nodes, 'b', isContainer))).toBe('b(b1(b11)) a(a1 a2) c')
  expect(told(moveDown(nodes, 'b', isContainer))).toBe('a(a1 a2) c b(b1(b11))')
  expect(told(moveUp(nodes, 'a2', isContainer))).toBe('a(a2 a1) b(b1(b11)) c')
  expect(moveUp(nodes, 'a', isContainer)).toBe(nodes)
  expect(moveDown(nodes, 'a2', isContainer)).toBe(nodes)
})
test('in goes into the category right above, out right behind the own one', () => {
  expect(told(moveIn(nodes, 'c', isContainer))).toBe('a(a1 a2) b(b1(b11) c)')
  expect(moveIn(nodes, 'a2', isContainer)).toBe(nodes)
  expect(told(moveOut(nodes, 'a1', isContainer))).toBe('a(a2) a1 b(b1(b11)) c')
  expect(told(moveOut(nodes, 'b11', isContainer))).toBe('a(a1 a2) b(b1 b11) c')
  expect(moveOut(nodes, 'c', isContainer)).toBe(nodes)
})
test('nothing goes deeper than the menu shows, or below itself', () => {
  expect(moveIn(nodes, 'b', isContainer)).toBe(nodes)
  expect(place(nodes, 'b', 'b1', null, isContainer)).toBe(nodes)
})
test('what was in a deleted category takes its place', () => {
  expect(told(removeNode(nodes, 'b'))).toBe('a(a1 a2) b1(b11) c')
})
test('a collapsed entry hides everything below it', () => {
  expect(shownNodes(nodes, new Set(['b'])).map(({ Key }) => Key)).toEqual(['a', 'a1', 'a2', 'b', 'c'])
})

describe('a drag', () => {
  const drop = (key: string, over: string, steps: number): string => {
    const { parentKey, beforeKey } = landing(nodes, key, over, steps, isContainer)
    return told(place(nodes, key, parentKey, beforeKey, isContainer))
  }
  test('downwards lands behind what it is over, at its own level', () => {
    expect(drop('a1', 'a2', 0)).toBe('a(a2 a1) b(b1(b11)) c')
  })
  test('to the right of a category lands in it', () => {
    expect(drop('c', 'b11', 1)).toBe('a(a1 a2) b(b1(c b11))')
    expect(drop('c', 'c', 1)).toBe('a(a1 a2) b(b1(b11) c)')
    expect(drop('c', 'c', 2)).toBe('a(a1 a2) b(b1(b11 c))')
  })
  test('to the left leaves its category', () => {
    expect(drop('a2', 'a2', -1)).toBe('a(a1) a2 b(b1(b11)) c')
  })
})

test('whatever is done, the entries still make a menu and none is lost', () => {
  const key = fc.constantFrom(...nodes.map(({ Key }) => Key))
  const step = fc.tuple(
    fc.constantFrom('up', 'down', 'in', 'out', 'drag'),
    key,
    key,
    fc.integer({ min: -3, max: 3 }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let list = nodes
      for (const [kind, one, other, right] of steps) {
        if (kind === 'up') list = moveUp(list, one, isContainer)
        else if (kind === 'down') list = moveDown(list, one, isContainer)
        else if (kind === 'in') list = moveIn(list, one, isContainer)
        else if (kind === 'out') list = moveOut(list, one, isContainer)
        else {
          const shown = shownNodes(list, new Set([one]))
          if (!shown.some(({ Key }) => Key === other)) continue
          const { parentKey, beforeKey } = landing(shown, one, other, right, isContainer)
          list = place(list, one, parentKey, beforeKey, isContainer)
        }
        expect(mayStandIn(list)).toBeUndefined()
        expect(depthsOf(list).size).toBe(nodes.length)
      }
    }),
  )
})
