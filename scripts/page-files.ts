import { readFileSync } from 'node:fs'
import { allPages, frames, idOf, moduleOf, screens } from './screens.ts'

/** What a module of the build imports. */
export interface Graph {
  getModuleInfo: (
    id: string,
  ) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

/** The modules of the product that some load with: they, those that they import, and so on. */
const loadedWith = (entries: readonly string[], graph: Graph): Set<string> => {
  const found = new Set<string>()
  const follow = (id: string): void => {
    if (found.has(id) || id.includes('node_modules')) return
    found.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(follow)
  }
  for (const entry of entries) follow(idOf(entry))
  return found
}

/** What people see first: the frame around their pages and the page they begin with. */
const firstOfMembers = ['modules/session/MemberFrame.tsx', 'modules/time/ClockPage.tsx', 'own-pages.ts']
const firstOfStaff = ['modules/session/AdminFrame.tsx', 'modules/reports/AdminHomePage.tsx']

/** A link of one line that most pages have: with what many share it would bring all of that to the first page of staff. */
const linksOfAll = ['shell/PageLink.tsx']

/** What every page loads once it is drawn, for working without a network. */
const afterwards = 'offline.ts'

/** From so many screens on, what they share comes in one file rather than in a file for each set of screens. */
const manyOwnScreens = 5
const manyStaffScreens = 12

type Layer = 'login' | 'app' | 'member' | 'staff' | 'own' | 'work' | 'kept'
type LayerOf = (id: string) => Layer | undefined

/** Names of the icons that modules import. */
const iconsOf = (modules: Iterable<string>): Set<string> =>
  new Set(
    [...modules]
      .filter((id) => /\/web\/.*\.tsx?$/.test(id))
      .flatMap((id) => [
        ...readFileSync(id, 'utf8').matchAll(/import \{([^}]*)\} from '@tabler\/icons-react'/g),
      ])
      .flatMap(([, names]) => names?.match(/Icon\w+/g) ?? []),
  )

const makeLayers = (graph: Graph): LayerOf => {
  const login = loadedWith(['main.ts'], graph)
  const app = loadedWith(['app.tsx', ...linksOfAll], graph)
  const [member, staff] = [loadedWith(firstOfMembers, graph), loadedWith(firstOfStaff, graph)]
  const screensIn = (isOwn: boolean): string[] =>
    allPages.flatMap(({ path, frame }) =>
      path !== 'login' && (frame === 'own') === isOwn ? [moduleOf(screens[path])] : [],
    )
  const ownScreens = screensIn(true)
  const staffScreens = [...Object.values(frames).map(moduleOf), ...screensIn(false)]
  const elsewhere = loadedWith(
    [...staffScreens, ...ownScreens].filter((screen) => !firstOfMembers.includes(screen)),
    graph,
  )
  const byScreen = (all: readonly string[]) => all.map((screen) => loadedWith([screen], graph))
  const [ofStaff, ofOwn] = [byScreen(staffScreens), byScreen(ownScreens)]
  const isIn = (sets: readonly Set<string>[], id: string, many: number) =>
    sets.filter((set) => set.has(id)).length >= many
  const kept = loadedWith([afterwards], graph)
  const icons = iconsOf(member)
  return (id) => {
    // Their first page has a few of the icons that many pages share, and would bring all of them.
    const icon = /\/@tabler\/.*\/(Icon\w+)\.mjs$/.exec(id)?.[1]
    if (icon) return icons.has(icon) ? 'app' : undefined
    if (login.has(id)) return 'login'
    if (app.has(id)) return 'app'
    if (member.has(id)) return elsewhere.has(id) ? 'app' : 'member'
    if (staff.has(id)) return 'staff'
    if (apart.test(id)) return undefined
    if (isIn(ofOwn, id, manyOwnScreens)) return 'own'
    if (/\/web\/(ui|shared)\//.test(id) && isIn(ofStaff, id, manyStaffScreens)) return 'work'
    return kept.has(id) && id !== idOf(afterwards) ? 'kept' : undefined
  }
}

let layers: LayerOf | undefined
let known: Graph | undefined

/** The modules of the last build. */
export const moduleGraph = (): Graph => {
  if (!known) throw new Error('Nothing has been built.')
  return known
}

/** One file for a layer, for what it imports, and for the libraries named. */
const layer = (name: Layer, libraries?: RegExp) => ({
  debugName: name,
  name: (id: string, graph: Graph) => {
    known = graph
    layers ??= makeLayers(graph)
    return layers(id) === name || libraries?.test(id) ? name : null
  },
})

/** Large parts that a layer would bring to pages that have none of them, each with a file of its own. */
const apart =
  /\/contract\/core\/search|\/web\/ui\/(form|choice|Dialog|ConfirmDialog|HintBubble|filters\/(Chip(List|Panel)|Date)|grid\/(?!inside-button|grid-types))/
const parts = [
  {
    name: 'rows',
    test: /node_modules\/@tanstack\/(react-)?virtual(-core)?\/|\/web\/ui\/grid\/(use-row|use-plane|plane-)/,
  },
  // What fields, lists and dialogs of Mantine are made of, before the first of them takes it along.
  {
    name: 'base',
    test: /node_modules\/@mantine\/(hooks\/|core\/esm\/(core\/|utils\/(?!InlineInput)|components\/(CloseButton|ScrollArea\/utils)\/))/,
    minShareCount: 6,
  },
  // What opens over a page, before those that would take it along: lists, menus and hints are placed by the same code.
  {
    name: 'floating',
    test: /node_modules\/@floating-ui\/|\/esm\/components\/(Popover|Portal|Tooltip)\/|\/esm\/utils\/Floating\//,
  },
  { name: 'search', test: /\/contract\/core\/search/ },
  { name: 'lists', test: /\/esm\/components\/(Combobox|ScrollArea)\/|\/web\/ui\/choice\// },
  { name: 'menus', test: /\/esm\/components\/Menu\// },
  { name: 'dialogs', test: /\/esm\/components\/(Modal|ModalBase)\/|\/web\/ui\/Dialog/ },
  {
    name: 'forms',
    test: /\/esm\/components\/(Input|InputBase|TextInput|PasswordInput)\/|\/web\/ui\/form\/(Form|SelectField|TextField|use-edit-form|field-parts)/,
  },
  { name: 'table', test: /\/web\/ui\/grid\/(?!Inline|TickGrid|RowMenu|ColumnMenu)/ },
  { name: 'dates', test: /node_modules\/(@mantine\/dates|dayjs)\/|\/web\/ui\/form\/DateField/ },
  { name: 'fields', test: /\/web\/ui\/form\/(Check|Number|TextArea)Field/ },
]

/**
 * Which code comes together in one file, the first that fits. A screen of sixty small files waits ten times for answers on a
 * phone's connection; one large file would make the login page wait for the whole product. So:
 *
 * - `login`: the login page and what every page needs with it
 * - `app`: what every other page has, and what the students' first page shares with others
 * - `member`: the rest of that page; `staff`: the rest of the first page of staff
 * - `kept`: what every page loads once it is drawn, to need no network later, and some pages before
 * - `own`: what many of everybody's own pages share; `work`: grids, filters and forms, which many pages of staff have
 * - `floating` to `fields`: what opens over a page, and what some pages alone begin with
 * - the rest as the build finds it: a file for each set of screens that use it
 */
export const pageFiles = [
  layer('login', /preload-helper|node_modules\/(react|react-dom|scheduler)\//),
  layer(
    'app',
    /node_modules\/@tanstack\/(history\/|(react-)?query(-core)?\/(?!.*(infinite|Infinite|queries|Queries)))/,
  ),
  // Before those that would take them along with what they import.
  { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
  // The buttons of Mantine with what all of its parts are made of: the first pages have plain ones (`web/ui/PlainButton.tsx`).
  { name: 'buttons', test: /\/@mantine\/core\/esm\/components\/(Button|Loader)\// },
  layer('member'),
  layer('staff'),
  layer('own'),
  layer('work'),
  layer('kept'),
  ...parts,
  { name: 'ui', test: /node_modules\/(@mantine|@floating-ui)\//, entriesAware: true },
]
