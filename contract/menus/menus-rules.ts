/** What an entry of the custom menu needs to be placed. */
export interface PlacedNode {
  Key: string
  ParentKey: string | null
  Kind: 'page' | 'category' | 'link'
  ItemId: number | null
  Name: string
  Url: string
}

/** A category, groups in it, pages in those: what the left menu can show. */
export const menuDepth = 3

/** How deep each entry is, 0 at the top, by its key. An entry before its parent has none. */
export const depthsOf = (nodes: readonly Pick<PlacedNode, 'Key' | 'ParentKey'>[]): Map<string, number> => {
  const depths = new Map<string, number>()
  for (const { Key, ParentKey } of nodes) {
    const above = ParentKey === null ? -1 : depths.get(ParentKey)
    if (above !== undefined) depths.set(Key, above + 1)
  }
  return depths
}

/** What is wrong with the entries of a custom menu, as a sentence; undefined when they make a menu. */
export const mayStandIn = (nodes: readonly PlacedNode[]): string | undefined => {
  const depths = depthsOf(nodes)
  const keys = new Set<string>()
  const pages = new Set<number>()
  for (const node of nodes) {
    if (keys.has(node.Key)) return `${node.Key} is in the menu twice`
    keys.add(node.Key)
    const depth = depths.get(node.Key)
    if (depth === undefined) return `${node.Key} must come after the entry it belongs to`
    if (depth >= menuDepth) return `${node.Name || node.Key} is more than ${menuDepth} levels deep`
    if (node.Kind === 'page') {
      if (node.ItemId === null) return `${node.Key} has no page`
      if (pages.has(node.ItemId)) return `The page of ${node.Key} is in the menu twice`
      pages.add(node.ItemId)
    } else {
      if (node.ItemId !== null) return `${node.Key} is not a page`
      if (node.Name.trim() === '') return `${node.Key} needs a name`
    }
    if (node.Kind === 'link' ? node.Url === '' : node.Url !== '') return `${node.Key} has a wrong address`
    if (nodes.some((other) => other.Key === node.ParentKey && other.Kind === 'link'))
      return `${node.Key} cannot be below a link`
  }
  return undefined
}

/** The types of programs that a stored value names: undefined when all of them see the item. */
export const typesOf = (progTypes: string): ReadonlySet<number> | undefined =>
  progTypes === '' ? undefined : new Set(progTypes.split(',').map(Number))

/** The value to store: '' when all types are chosen, '0' when none is. */
export const progTypesOf = (chosen: ReadonlySet<number>, all: readonly number[]): string => {
  const kept = all.filter((id) => chosen.has(id))
  if (kept.length === all.length) return ''
  return kept.length === 0 ? '0' : kept.join(',')
}
