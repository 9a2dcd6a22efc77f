import type { MenuNode } from '#contract/menus/menus.ts'
import { depthsOf, menuDepth } from '#contract/menus/menus-rules.ts'

/**
 * The moves of the custom menu's editor on its entries, which are in the order of the menu, each after the one it belongs
 * to. Every move answers a new list, or the old one when it is not possible.
 */
export type Nodes = readonly MenuNode[]

/** Whether something can be below an entry: categories, and pages that only open a submenu. */
export type IsContainer = (node: MenuNode) => boolean

/** An entry and everything below it. */
const branchOf = (nodes: Nodes, key: string): MenuNode[] => {
  const inside = new Set([key])
  return nodes.filter(({ Key, ParentKey }) => {
    if (Key === key) return true
    if (ParentKey === null || !inside.has(ParentKey)) return false
    inside.add(Key)
    return true
  })
}

export const siblingsOf = (nodes: Nodes, key: string): MenuNode[] => {
  // Callers pass keys of the tree.
  const { ParentKey } = nodes.find(({ Key }) => Key === key)!
  return nodes.filter((node) => node.ParentKey === ParentKey)
}

/** How many levels an entry and what is below it take. */
const heightOf = (branch: Nodes): number => {
  const depths = depthsOf(branch.map((node, index) => (index === 0 ? { ...node, ParentKey: null } : node)))
  return Math.max(...depths.values()) + 1
}

const fits = (nodes: Nodes, branch: Nodes, parentKey: string | null, isContainer: IsContainer): boolean => {
  if (parentKey === null) return true
  const parent = nodes.find(({ Key }) => Key === parentKey)
  if (!parent || !isContainer(parent) || branch.some(({ Key }) => Key === parentKey)) return false
  return depthsOf(nodes).get(parentKey)! + 1 + heightOf(branch) <= menuDepth
}

/** Puts an entry, with what is below it, under another one: before one of its entries, or at their end. */
export const place = (
  nodes: Nodes,
  key: string,
  parentKey: string | null,
  beforeKey: string | null,
  isContainer: IsContainer,
): Nodes => {
  const branch = branchOf(nodes, key)
  const [head, ...below] = branch
  if (!head || !fits(nodes, branch, parentKey, isContainer) || beforeKey === key) return nodes
  const others = nodes.filter((node) => !branch.includes(node))
  const at =
    beforeKey !== null
      ? others.findIndex(({ Key }) => Key === beforeKey)
      : parentKey === null
        ? others.length
        : others.indexOf(branchOf(others, parentKey).at(-1)!) + 1
  if (at < 0) return nodes
  return [...others.slice(0, at), { ...head, ParentKey: parentKey }, ...below, ...others.slice(at)]
}

export const moveUp = (nodes: Nodes, key: string, isContainer: IsContainer): Nodes => {
  const siblings = siblingsOf(nodes, key)
  const index = siblings.findIndex(({ Key }) => Key === key)
  const before = siblings[index - 1]
  return before ? place(nodes, key, before.ParentKey, before.Key, isContainer) : nodes
}

export const moveDown = (nodes: Nodes, key: string, isContainer: IsContainer): Nodes => {
  const siblings = siblingsOf(nodes, key)
  const index = siblings.findIndex(({ Key }) => Key === key)
  if (index === siblings.length - 1) return nodes
  return place(nodes, key, siblings[index]!.ParentKey, siblings[index + 2]?.Key ?? null, isContainer)
}

/** Into the category that is right above, as its last entry. */
export const moveIn = (nodes: Nodes, key: string, isContainer: IsContainer): Nodes => {
  const siblings = siblingsOf(nodes, key)
  const above = siblings[siblings.findIndex(({ Key }) => Key === key) - 1]
  return above ? place(nodes, key, above.Key, null, isContainer) : nodes
}

/** Out of its category, right behind it. */
export const moveOut = (nodes: Nodes, key: string, isContainer: IsContainer): Nodes => {
  // Callers pass keys of the tree.
  const { ParentKey } = nodes.find(({ Key }) => Key === key)!
  if (ParentKey === null) return nodes
  const around = siblingsOf(nodes, ParentKey)
  const next = around[around.findIndex(({ Key }) => Key === ParentKey) + 1]
  return place(nodes, key, around[0]!.ParentKey, next?.Key ?? null, isContainer)
}

/** Deletes a category or a link; what was below it takes its place. */
export const removeNode = (nodes: Nodes, key: string): Nodes => {
  // Callers pass keys of the tree.
  const gone = nodes.find(({ Key }) => Key === key)!
  return nodes
    .filter(({ Key }) => Key !== key)
    .map((node) => (node.ParentKey === key ? { ...node, ParentKey: gone.ParentKey } : node))
}

export const change = (nodes: Nodes, key: string, values: Partial<MenuNode>): Nodes =>
  nodes.map((node) => (node.Key === key ? { ...node, ...values } : node))

/** The entries to show: those below a collapsed one are left out. */
export const shownNodes = (nodes: Nodes, collapsed: ReadonlySet<string>): MenuNode[] => {
  const out = new Set<string>()
  return nodes.filter(({ Key, ParentKey }) => {
    const isOut = ParentKey !== null && (out.has(ParentKey) || collapsed.has(ParentKey))
    if (isOut) out.add(Key)
    return !isOut
  })
}

/**
 * Where a dragged entry would land: over the place of `overKey` among the shown ones, `steps` levels to the right or left of
 * where it was. What is around it bounds the level.
 */
export const landing = (
  shown: Nodes,
  key: string,
  overKey: string,
  steps: number,
  isContainer: IsContainer,
): { parentKey: string | null; beforeKey: string | null; depth: number } => {
  const depths = depthsOf(shown)
  const from = shown.findIndex(({ Key }) => Key === key)
  const to = shown.findIndex(({ Key }) => Key === overKey)
  const others = shown.filter(({ Key }) => Key !== key)
  const at =
    to > from
      ? others.findIndex(({ Key }) => Key === overKey) + 1
      : others.findIndex(({ Key }) => Key === overKey)
  const index = from === to ? from : at
  const above = others[index - 1]
  const below = others[index]
  const most = above ? depths.get(above.Key)! + (isContainer(above) ? 1 : 0) : 0
  const least = below ? Math.min(depths.get(below.Key)!, most) : 0
  const depth = Math.max(least, Math.min(most, depths.get(key)! + steps))
  let parent = above
  while (parent && depths.get(parent.Key)! >= depth)
    // The loop ends when there is none.
    parent = others.find(({ Key }) => Key === parent!.ParentKey)
  const parentKey = depth === 0 ? null : (parent?.Key ?? null)
  const next = others.slice(index).find(({ ParentKey }) => ParentKey === parentKey)
  return { parentKey, beforeKey: next?.Key ?? null, depth }
}
