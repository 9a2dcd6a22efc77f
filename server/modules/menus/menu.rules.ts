import { Level, levels } from '#contract/core/levels.ts'
import { allPages, type MenuPlace, menuHeadings, type PageEntry } from '#contract/core/pages.ts'
import { may, type Permission, permissions } from '#contract/core/permissions.ts'
import type { Language } from '#contract/language/language.ts'
import type { CustomMenu, MenuNode } from '#contract/menus/menus.ts'
import { depthsOf, menuDepth, typesOf } from '#contract/menus/menus-rules.ts'
import type { MenuItem } from '#contract/session/session.ts'
import { type Terms, termPlaceholders } from '#contract/terminology/terminology.ts'
import { spanishMenu } from './spanish-menu.rules.ts'

/** A page or a heading of the menu, with what was decided about it. */
export interface Item {
  Id: number
  ParentId: number | null
  PageKey: string
  PageUrl: string
  LinkOrder: number
  LinkName: string
  Title: string
  /** Null as long as nobody chose: all levels that have the right. */
  AccessLevels: number[] | null
  Directions: string
  IsMenuItem: boolean
  LinkLevel: number
  ProgTypes: string
}

/** What the table of pages alone decides: in which shell an item is and who has the right to its page. */
interface Right {
  isStaff: boolean
  /** Pages; undefined for headings. */
  permission?: Permission
  levels?: readonly Level[]
}

const rights = new Map<number, Right>()

const plain = { Title: '', AccessLevels: null, Directions: '', ProgTypes: '' } as const

type HeadingKey = keyof typeof menuHeadings

const headingKeys = Object.keys(menuHeadings) as HeadingKey[]

const headings: readonly Item[] = headingKeys.map((key) => {
  const { id, order, name } = menuHeadings[key]
  rights.set(id, { isStaff: true })
  return {
    ...plain,
    Id: id,
    ParentId: null,
    PageKey: key,
    PageUrl: '#',
    LinkOrder: order,
    LinkName: name,
    IsMenuItem: true,
    LinkLevel: 0,
  }
})

const placesOf = ({ menu }: PageEntry): readonly MenuPlace[] =>
  menu === undefined ? [] : 'id' in menu ? [menu] : menu

const pageItems = (): Item[] => {
  const counted = new Map<unknown, number>()
  /** The next order in a menu: tens, so that programs can put their own between. */
  const next = (menu: unknown): number => {
    counted.set(menu, (counted.get(menu) ?? 0) + 10)
    return counted.get(menu)!
  }
  return allPages.flatMap((page) =>
    placesOf(page).map(({ id, under, key, text = page.name, order, query }): Item => {
      const heading = typeof under === 'string' && under in menuHeadings ? (under as HeadingKey) : undefined
      const isStaff = typeof under === 'string'
      rights.set(
        id,
        isStaff ? { isStaff, permission: page.may ?? 'admin-shell.use' } : { isStaff, levels: under },
      )
      return {
        ...plain,
        Id: id,
        ParentId: heading ? menuHeadings[heading].id : null,
        PageKey: key ?? heading ?? '',
        PageUrl: `/new/${page.path}${query ? `?${query}` : ''}`,
        LinkOrder: under === 'nowhere' ? 0 : (order ?? next(isStaff ? under : 'members')),
        LinkName: text,
        IsMenuItem: under !== 'nowhere',
        LinkLevel: heading ? 1 : 0,
      }
    }),
  )
}

/**
 * Every item as the product has it, from the table of pages. Rows of the database say only what was decided about an item since:
 * which types of programs see it, and what a program changed for itself.
 */
export const catalogue: readonly Item[] = [...headings, ...pageItems()]

const isStaffItem = ({ Id }: Item): boolean => rights.get(Id)!.isStaff

const inOrder = (items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => a.LinkOrder - b.LinkOrder || a.Id - b.Id)

/** What was decided about an item: for all programs, or by one for itself. */
export type Decision = Pick<Item, 'Id' | 'ProgTypes'> &
  Partial<Pick<Item, 'LinkOrder' | 'LinkName' | 'Title' | 'AccessLevels' | 'Directions'>>

/**
 * The items with what was decided about them, each after the one it belongs to, by their order: the staff's menu, their other
 * pages, the menu of the others. Decisions about pages that the product no longer has are left out.
 */
export const allItems = (decisions: readonly Decision[]): Item[] => {
  const decided = new Map(decisions.map((decision) => [decision.Id, decision]))
  const items = catalogue.map((item) => ({ ...item, ...decided.get(item.Id) }))
  const below = (parentId: number | null): Item[] =>
    inOrder(items.filter(({ ParentId }) => ParentId === parentId)).flatMap((item) => [
      item,
      ...below(item.Id),
    ])
  const placeOf = (item: Item): number => (!isStaffItem(item) ? 2 : item.IsMenuItem ? 0 : 1)
  return below(null).toSorted((a, b) => placeOf(a) - placeOf(b))
}

interface Person {
  AccessLevel: number
  SuperAdminAreas: number | null
}

const hasRight = (who: Person, { Id, PageUrl }: Item): boolean => {
  const right = rights.get(Id)!
  // A heading is seen by whoever sees something below it.
  if (PageUrl === '#') return true
  // A right is a permission or a list of levels.
  return right.permission ? may(who, right.permission) : right.levels!.includes(who.AccessLevel as Level)
}

/** The levels that have the right to an item's page, without CCUnderHood, who goes with the supervisors. */
const levelsWithRight = (item: Item): number[] =>
  levels
    .filter(({ Id }) => Id !== Level.CCUnderHood && Id !== Level.Unknown)
    .filter(({ Id }) => (rights.get(item.Id)!.isStaff ? Id >= Level.Faculty : true))
    .filter(({ Id }) => hasRight({ AccessLevel: Id, SuperAdminAreas: null }, item))
    .map(({ Id }) => Id)

/** The levels whose menu shows the item. */
export const accessOf = (item: Item): number[] => item.AccessLevels ?? levelsWithRight(item)

/** What to keep of a choice of levels: null when it is everybody who has the right. */
export const accessToKeep = (item: Item, chosen: readonly number[]): number[] | null => {
  const usual = levelsWithRight(item)
  return usual.length === chosen.length && usual.every((id) => chosen.includes(id)) ? null : [...chosen]
}

const isOpenTo = (who: Person, item: Item): boolean => {
  if (!item.AccessLevels) return true
  const level = who.AccessLevel === Level.CCUnderHood ? Level.Supervisor : who.AccessLevel
  return item.AccessLevels.includes(level)
}

/** What of the program decides about the menu; without it everything is as the product has it. */
export interface MenuOf {
  /** A program without a type sees the items of all types. */
  ProgramTypeId: number | null
  /** Its own tree; null when nobody customized it. */
  Nodes: readonly MenuNode[] | null
}

const isForType = ({ ProgTypes }: Item, typeId: number | null): boolean =>
  typeId === null || (typesOf(ProgTypes)?.has(typeId) ?? true)

const isVisible = (who: Person, item: Item, typeId: number | null): boolean =>
  hasRight(who, item) && isOpenTo(who, item) && isForType(item, typeId)

const fill = (text: string, words: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => words[name] ?? name)

/** Items with their names in the words of the program. */
export const named = (items: readonly Item[], terms: Terms): Item[] => {
  const words = termPlaceholders(terms)
  return items.map((item) => ({ ...item, LinkName: fill(item.LinkName, words) }))
}

const usualNames = new Map(catalogue.map(({ Id, LinkName }) => [Id, LinkName]))

/** The items with their names in a language: what a program has named itself stays as it is, and so do the pages of staff. */
export const inLanguage = (items: readonly Item[], language: Language): Item[] =>
  items.map((item) => {
    const name = language === 'es' && item.LinkName === usualNames.get(item.Id) && spanishMenu[item.LinkName]
    return name ? { ...item, LinkName: name } : item
  })

const readersNames = new Map(
  allPages.flatMap((page) => placesOf(page).flatMap(({ id, toDo }) => (toDo ? [[id, toDo] as const] : []))),
)

/** The items as a person's menu names them: what they only read is not named by what others do there, unless the program named it so. */
export const asTheyMay = (items: readonly Item[], who: Person): Item[] =>
  items.map((item) => {
    const toDo = readersNames.get(item.Id)
    const isPlain = toDo && item.LinkName === usualNames.get(item.Id)
    return isPlain && !may(who, toDo.may) ? { ...item, LinkName: toDo.otherwise } : item
  })

/** Whether a program may change the item for itself: pages of the whole installation are not its own, nor their headings. */
export const isOfPrograms = ({ Id, PageUrl }: Item): boolean => {
  if (PageUrl === '#') return catalogue.some((item) => item.ParentId === Id && isOfPrograms(item))
  const { permission } = rights.get(Id)!
  return !permission || !('superOnly' in permissions[permission])
}

/** Whether every heading above an item is visible too; items come after those they belong to. */
const withVisibleAbove = (items: readonly Item[], isShown: (item: Item) => boolean): Item[] => {
  const shown = new Map<number, Item>()
  for (const item of items)
    if (isShown(item) && (item.ParentId === null || shown.has(item.ParentId))) shown.set(item.Id, item)
  return [...shown.values()]
}

const keyOf = (itemId: number): string => `page-${itemId}`

/**
 * A program's tree with every page in it: those that the product got since the tree was saved are where the product has
 * them, or at the end. Entries of pages that no longer exist are left out, with what was below them moved up.
 */
const completeNodes = (nodes: readonly MenuNode[] | null, items: readonly Item[]): MenuNode[] => {
  const own = items.filter((item) => isStaffItem(item) && item.IsMenuItem && isOfPrograms(item))
  const known = new Set(own.map(({ Id }) => Id))
  const kept: MenuNode[] = []
  const moved = new Map<string, string | null>()
  for (const node of nodes ?? []) {
    const above =
      node.ParentKey !== null && moved.has(node.ParentKey) ? moved.get(node.ParentKey)! : node.ParentKey
    // A page always names its item.
    if (node.Kind === 'page' && !known.has(node.ItemId!)) moved.set(node.Key, above)
    else kept.push({ ...node, ParentKey: above })
  }
  const keyOfItem = new Map(
    kept.filter(({ ItemId }) => ItemId !== null).map(({ ItemId, Key }) => [ItemId!, Key]),
  )
  for (const item of own) {
    if (keyOfItem.has(item.Id)) continue
    const parent = item.ParentId === null ? null : (keyOfItem.get(item.ParentId) ?? null)
    const depth = parent === null ? -1 : depthsOf(kept).get(parent)!
    const Key = keyOf(item.Id)
    const node: MenuNode = {
      Key,
      ParentKey: depth + 1 < menuDepth ? parent : null,
      Kind: 'page',
      ItemId: item.Id,
      Name: '',
      Url: '',
      IsHidden: false,
    }
    keyOfItem.set(item.Id, Key)
    kept.push(node)
  }
  return inTreeOrder(kept)
}

/** Each entry directly before those that belong to it. */
const inTreeOrder = (nodes: readonly MenuNode[]): MenuNode[] => {
  const below = (key: string | null): MenuNode[] =>
    nodes.filter(({ ParentKey }) => ParentKey === key).flatMap((node) => [node, ...below(node.Key)])
  return below(null)
}

/** The custom menu as its editor shows it. */
export const customMenu = (
  { Version, Nodes }: { Version: number; Nodes: readonly MenuNode[] | null },
  items: readonly Item[],
): CustomMenu => ({
  Version,
  IsCustomized: Nodes !== null,
  Nodes: completeNodes(Nodes, items),
  Items: items
    .filter((item) => isStaffItem(item) && item.IsMenuItem && isOfPrograms(item))
    .map(({ Id, LinkName, PageUrl }) => ({ Id, LinkName, PageUrl, HasItems: PageUrl === '#' })),
})

const withoutEmpty = (items: MenuItem[]): MenuItem[] =>
  items
    .map((item) => ({ ...item, SubMenuItems: withoutEmpty(item.SubMenuItems) }))
    .filter(({ Url, SubMenuItems }) => Url !== '#' || SubMenuItems.length > 0)

/** Categories and links of a program have no id of their own; their numbers lie above all items. */
const firstOwnId = 1_000_000

/**
 * The left menu of the admin shell for a person: what they have the right to, what their level and the
 * program's type see, in the program's own tree where it has one. `items` are named and in order.
 */
export const leftMenu = (
  items: readonly Item[],
  who: Person,
  { ProgramTypeId, Nodes }: MenuOf,
): MenuItem[] => {
  const shown = withVisibleAbove(
    items.filter((item) => isStaffItem(item) && item.IsMenuItem),
    (item) => isVisible(who, item, ProgramTypeId),
  )
  const asMenuItem = ({ Id, LinkName, PageUrl, PageKey }: Item, SubMenuItems: MenuItem[]): MenuItem => ({
    Id,
    Name: LinkName,
    Url: PageUrl,
    PageKey,
    SubMenuItems,
  })
  if (!Nodes) {
    const below = (parentId: number | null): MenuItem[] =>
      shown.filter(({ ParentId }) => ParentId === parentId).map((item) => asMenuItem(item, below(item.Id)))
    return withoutEmpty(below(null))
  }
  const byId = new Map(shown.map((item) => [item.Id, item]))
  const nodes = completeNodes(Nodes, items)
  const number = new Map(nodes.map(({ Key }, index) => [Key, firstOwnId + index]))
  const below = (key: string | null): MenuItem[] =>
    nodes
      .filter(({ ParentKey, IsHidden }) => ParentKey === key && !IsHidden)
      .flatMap((node): MenuItem[] => {
        if (node.Kind === 'page') {
          // A page always names its item.
          const item = byId.get(node.ItemId!)
          return item ? [asMenuItem({ ...item, LinkName: node.Name || item.LinkName }, below(node.Key))] : []
        }
        return [
          {
            Id: number.get(node.Key)!,
            Name: node.Name,
            Url: node.Kind === 'link' ? node.Url : '#',
            PageKey: node.Kind,
            SubMenuItems: below(node.Key),
          },
        ]
      })
  return withoutEmpty(below(null))
}

/** The side menu of people below Faculty, by level. */
export const memberMenu = (
  items: readonly Item[],
  who: Person,
  { ProgramTypeId }: Pick<MenuOf, 'ProgramTypeId'>,
): { Name: string; Url: string; IconClasses: string }[] => {
  const own = items.filter((item) => !isStaffItem(item) && isVisible(who, item, ProgramTypeId))
  // Staff have the admin shell; here they find the way home.
  const shown = who.AccessLevel >= Level.Faculty ? items.filter(({ Id }) => Id === homeId) : own
  return shown.map(({ LinkName, PageUrl, PageKey }) => ({
    Name: LinkName,
    Url: PageUrl,
    IconClasses: PageKey,
  }))
}
const homeId = 101

/** Titles and directions for the pages that a person may open. */
export const pageNotes = (
  items: readonly Item[],
  who: Person,
): { Url: string; Title: string; Directions: string }[] =>
  items
    .filter((item) => item.PageUrl !== '#' && hasRight(who, item) && (item.Title || item.Directions))
    .map(({ PageUrl, Title, Directions }) => ({ Url: PageUrl, Title, Directions }))
