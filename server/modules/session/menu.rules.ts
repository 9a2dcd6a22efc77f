import { Level, levels } from '#contract/levels.ts'
import type { CustomMenu, MenuNode } from '#contract/menus.ts'
import { depthsOf, menuDepth, typesOf } from '#contract/menus-rules.ts'
import { may, type Permission, permissions } from '#contract/permissions.ts'
import type { MenuItem } from '#contract/session.ts'
import { type Terms, termPlaceholders } from '#contract/terminology.ts'

interface Entry {
  id: number
  name: string
  url: string
  page: string
  may: Permission
  items?: Entry[]
}

const entry = (
  id: number,
  name: string,
  url: string,
  page: string,
  needs: Permission,
  items?: Entry[],
): Entry => ({
  id,
  name,
  url,
  page,
  may: needs,
  ...(items && { items }),
})

/**
 * The left menu as the product has it: words in braces are the program's own. What people changed since stands in
 * `menu_item` and `program_menu_item`; a page that has no row there yet appears as it is written here.
 */
const staffMenu: readonly Entry[] = [
  entry(1, 'Home', '/new/admin/home', 'home', 'admin-shell.use'),
  entry(2, '{Colleges}', '#', 'colleges', 'colleges.manage', [
    entry(21, 'Manage {colleges}', '/new/admin/manage-colleges', 'colleges', 'colleges.manage'),
    entry(22, 'Manage {programs}', '/new/admin/manage-programs', 'programs', 'programs.manage'),
    entry(23, 'Modalities', '/new/admin/modalities', 'modalities', 'programs.manage'),
    entry(25, '{Program} classes', '/new/admin/program-classes', 'colleges', 'programs.manage'),
    entry(26, '{Program} types', '/new/admin/manage-program-types', 'colleges', 'programs.manage'),
    entry(27, 'Categorize {programs}', '/new/admin/program-types', 'colleges', 'programs.manage'),
    entry(24, 'Language profiles', '/new/admin/language-profiles', 'settings', 'terminology.manage'),
    entry(29, 'Copy {program} data', '/new/admin/program-copy', 'colleges', 'programs.manage'),
    entry(
      951,
      'Unused Feature Notifications',
      '/new/admin/unused-feature-notifications',
      'colleges',
      'unused-features.manage',
    ),
  ]),
  entry(3, 'People', '#', 'people', 'people.read', [
    entry(31, 'Manage users', '/new/admin/manage-users', 'people', 'people.read'),
    entry(32, 'Assign {supervisors}', '/new/admin/assign-supervisor-sites', 'people', 'people.write'),
    entry(33, 'Manage {studentLevels}', '/new/admin/manage-levels', 'levels', 'levels.manage'),
    entry(34, 'Set {studentLevels}', '/new/admin/set-levels', 'levels', 'levels.manage'),
    entry(38, 'Test Users Access', '/new/admin/test-users-access', 'people', 'test-access.manage'),
    entry(39, 'Employees', '/new/admin/employees', 'people', 'employees.manage'),
  ]),
  entry(4, 'Schedule', '#', 'schedule', 'scheduling.read', [
    entry(41, 'Schedule Assignments', '/new/admin/shift-assignments', 'schedule', 'scheduling.read'),
    entry(42, 'Visualization', '/new/admin/visualization', 'schedule', 'scheduling.read'),
    entry(43, 'Rotations', '/new/admin/rotations', 'schedule', 'scheduling.read'),
    entry(44, '{Site} shifts', '/new/admin/shifts', 'schedule', 'scheduling.read'),
  ]),
  entry(5, '{Time}', '#', 'time', 'time.read', [
    entry(51, 'Approve {Time} Records', '/new/admin/approve-time-records', 'time', 'time.read'),
    entry(52, 'All records', '/new/admin/logclock-list', 'time', 'time.read'),
    entry(53, 'Missed {time} records', '/new/admin/missed-time-records', 'time', 'time.read'),
    entry(54, '{Time} Totals', '/new/admin/time-summaries', 'time', 'reports.read'),
  ]),
  entry(6, '{Evaluations}', '#', 'evaluations', 'evaluations.read', [
    entry(61, 'Status', '/new/admin/evaluations/status', 'evaluations', 'evaluations.read'),
    entry(68, 'Results', '/new/admin/evaluations/results', 'evaluations', 'evaluations.read'),
    entry(62, 'Templates', '/new/admin/evaluations/templates', 'evaluations', 'evaluations.design'),
    entry(63, 'Items', '/new/admin/evaluations/items', 'evaluations', 'evaluations.design'),
    entry(64, 'Fill-in items', '/new/admin/evaluations/fib-items', 'evaluations', 'evaluations.design'),
    entry(65, 'Rearrange items', '/new/admin/evaluations/order-items', 'evaluations', 'evaluations.design'),
    entry(66, 'Score values', '/new/admin/evaluations/score-types', 'evaluations', 'evaluations.design'),
    entry(67, 'Form types', '/new/admin/evaluations/form-types', 'evaluations', 'evaluations.design'),
  ]),
  entry(7, '{Sites}', '#', 'sites', 'sites.read', [
    entry(71, 'Manage {sites}', '/new/admin/sites', 'sites', 'sites.read'),
    entry(75, 'Affiliate Agreements', '/new/admin/affiliate-agreements', 'sites', 'agreements.manage'),
    entry(72, '{Areas}', '/new/admin/manage-areas', 'areas', 'areas.read'),
  ]),
  entry(150, 'Documents', '#', 'documents', 'documents.read', [
    entry(151, 'Documents for me', '/new/admin/document-library', 'documents', 'documents.read'),
    entry(152, 'Manage Document Uploads', '/new/admin/documents', 'documents', 'documents.manage'),
    entry(
      153,
      'Manage Document Categories',
      '/new/admin/document-categories',
      'documents',
      'documents.manage',
    ),
  ]),
  entry(8, 'Reports', '#', 'reports', 'reports.read', [
    entry(81, 'Hours Summary', '/new/admin/hours-summary', 'reports', 'reports.read'),
    entry(82, 'Background checks', '/new/admin/verification?type=1', 'reports', 'verifications.read'),
    entry(83, 'Immunizations', '/new/admin/verification?type=2', 'reports', 'verifications.read'),
    entry(88, 'Employment', '/new/admin/employment', 'reports', 'reports.read'),
    entry(2601, 'Custom Reports', '/new/admin/custom-reports', 'reports', 'custom-reports.use'),
    entry(891, 'Systematic Plans', '/new/admin/systematic-plans', 'reports', 'systematic-plans.read'),
  ]),
  entry(10, 'E-mail', '#', 'mail', 'mail.send', [
    entry(1001, 'Send e-mail', '/new/admin/emails', 'mail', 'mail.send'),
    entry(1002, 'Scheduled Emails', '/new/admin/scheduled-emails', 'mail', 'mail.read'),
    entry(1003, 'Mail Center', '/new/admin/mail-center', 'mail', 'mail-templates.manage'),
  ]),
  entry(9, 'Settings', '#', 'settings', 'admin-shell.use', [
    entry(91, '{Program} settings', '/new/admin/program-settings', 'settings', 'program.settings'),
    entry(92, 'News', '/new/admin/admin-news', 'settings', 'news.manage'),
    entry(99, 'E-mail notifications', '/new/admin/notifications', 'settings', 'notifications.manage'),
    entry(93, 'Blacklist Emails', '/new/admin/email-blacklist', 'settings', 'blacklist.manage'),
    entry(94, 'Menu items', '/new/admin/menu-items', 'settings', 'menus.manage'),
    entry(95, 'Custom Admin Menu', '/new/admin/customize-menu', 'settings', 'menus.manage'),
    entry(96, 'Visibility of menu items', '/new/admin/admin-menu', 'settings', 'menus.visibility'),
    entry(911, 'Home Page Announcements', '/new/admin/announcements', 'settings', 'announcements.manage'),
    entry(912, 'Edit EULA', '/new/admin/eula', 'settings', 'settings.manage'),
    entry(913, 'IP Access Management', '/new/admin/geo-ip', 'settings', 'settings.manage'),
    entry(914, 'Global Settings', '/new/admin/global-settings', 'settings', 'settings.manage'),
    entry(2501, 'Payments', '/new/admin/payments', 'settings', 'payments.read'),
    entry(941, 'SAML Settings', '/new/admin/saml/admin', 'settings', 'saml.manage'),
    entry(942, 'SAML Users', '/new/admin/saml/users', 'settings', 'saml.manage'),
    entry(921, 'DataSync Logs', '/new/admin/logs/data-sync', 'settings', 'data-sync.manage'),
  ]),
]

/** Pages of staff that stand in no menu, but have a title and directions like all others. */
const otherPages: readonly Entry[] = [
  entry(201, 'Notifications', '/new/admin/inbox', 'inbox', 'admin-shell.use'),
  entry(202, 'User Guide', '/new/admin/help', 'help', 'admin-shell.use'),
  entry(203, 'Import', '/new/admin/imports', 'imports', 'imports.run'),
  entry(2502, 'Tax Calc', '/new/admin/tax-calc', 'settings', 'payments.manage'),
  entry(2602, 'Weekly Reports', '/new/admin/weekly-reports', 'reports', 'weekly-reports.read'),
]

const students = [Level.Student]
const supervisors = [Level.Supervisor, Level.CCUnderHood]
const withDocuments = [Level.SiteEmployee, Level.GenericEmployee, Level.Registrant, Level.Alumnus]
const others = [Level.SiteEmployee, Level.GenericEmployee, Level.Registrant, Level.Inactive, Level.Alumnus]

interface OwnEntry {
  id: number
  name: string
  url: string
  icon: string
  for: readonly Level[]
}

const own = (id: number, name: string, url: string, icon: string, levels: readonly Level[]): OwnEntry => ({
  id,
  name,
  url,
  icon,
  for: levels,
})

/** The side menu of people below Faculty: each level has its few pages. */
const ownMenu: readonly OwnEntry[] = [
  own(101, 'Home', '/new/', 'home', others),
  own(102, 'Inbox', '/new/', 'inbox', supervisors),
  own(103, 'Clock', '/new/clock', 'clock', students),
  own(104, 'Approve', '/new/approve', 'circle-check', supervisors),
  own(105, 'Schedule', '/new/schedule', 'calendar', students),
  own(106, 'Evaluate', '/new/evaluate', 'clipboard-check', [...students, ...supervisors]),
  own(107, 'Hours', '/new/hours', 'history', students),
  own(108, '{Students}', '/new/students', 'users', supervisors),
  own(155, 'Documents', '/new/documents', 'documents', [...students, ...supervisors, ...withDocuments]),
]

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

/** What the code alone decides: in which shell an item stands and who has the right to its page. */
interface Right {
  isStaff: boolean
  permission?: Permission
  levels?: readonly Level[]
}

const rights = new Map<number, Right>()

const plain = { Title: '', AccessLevels: null, Directions: '', ProgTypes: '' } as const

const spread = (
  entries: readonly Entry[],
  parentId: number | null,
  linkLevel: number,
  isMenuItem = true,
): Item[] =>
  entries.flatMap(({ id, name, url, page, may: permission, items = [] }, index) => {
    rights.set(id, { isStaff: true, permission })
    const item: Item = {
      ...plain,
      Id: id,
      ParentId: parentId,
      PageKey: page,
      PageUrl: url,
      LinkOrder: isMenuItem ? (index + 1) * 10 : 0,
      LinkName: name,
      IsMenuItem: isMenuItem,
      LinkLevel: linkLevel,
    }
    return [item, ...spread(items, id, linkLevel + 1)]
  })

/** Every item as the product has it, each after the one it belongs to. */
export const catalogue: readonly Item[] = [
  ...spread(staffMenu, null, 0),
  ...spread(otherPages, null, 0, false),
  ...ownMenu.map(({ id, name, url, icon, for: levels }, index): Item => {
    rights.set(id, { isStaff: false, levels })
    return {
      ...plain,
      Id: id,
      ParentId: null,
      PageKey: icon,
      PageUrl: url,
      LinkOrder: (index + 1) * 10,
      LinkName: name,
      IsMenuItem: true,
      LinkLevel: 0,
    }
  }),
]

const isStaffItem = ({ Id }: Item): boolean => rights.get(Id)!.isStaff

const inOrder = (items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => a.LinkOrder - b.LinkOrder || a.Id - b.Id)

/**
 * The items as they are kept, each after the one it belongs to, by their order: the staff's menu, their other pages, the
 * menu of the others. Those of the catalogue that have no row yet are added, and rows of pages that the product has no more
 * are left out.
 */
export const allItems = (kept: readonly Item[]): Item[] => {
  const byId = new Map(
    [...catalogue, ...kept.filter(({ Id }) => rights.has(Id))].map((item) => [item.Id, item]),
  )
  const items = [...byId.values()]
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

/** Whether a program may change the item for itself: pages of the whole installation are not its own. */
export const isOfPrograms = ({ Id }: Item): boolean => {
  const { permission } = rights.get(Id)!
  return !permission || !('superOnly' in permissions[permission])
}

/** Whether every heading above an item is visible too; items stand after those they belong to. */
const withVisibleAbove = (items: readonly Item[], isShown: (item: Item) => boolean): Item[] => {
  const shown = new Map<number, Item>()
  for (const item of items)
    if (isShown(item) && (item.ParentId === null || shown.has(item.ParentId))) shown.set(item.Id, item)
  return [...shown.values()]
}

const keyOf = (itemId: number): string => `page-${itemId}`

/**
 * A program's tree with every page in it: those that the product got since the tree was saved stand where the product has
 * them, or at the end. Entries of pages that are no more are left out, with what stood below them moved up.
 */
const completeNodes = (nodes: readonly MenuNode[] | null, items: readonly Item[]): MenuNode[] => {
  const own = items.filter((item) => isStaffItem(item) && item.IsMenuItem && isOfPrograms(item))
  const known = new Set(own.map(({ Id }) => Id))
  const kept: MenuNode[] = []
  const moved = new Map<string, string | null>()
  for (const node of nodes ?? []) {
    const above =
      node.ParentKey !== null && moved.has(node.ParentKey) ? moved.get(node.ParentKey)! : node.ParentKey
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
 * The left menu of the admin shell for a person (specification 1 §2.12): what she has the right to, what her level and the
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
