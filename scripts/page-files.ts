import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { normalizePath } from 'vite'

interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}

const web = resolve(import.meta.dirname, '..', 'web')

/** The modules of the product that some load with: they, those that they import, and so on. */
const loadedWith = (entries: readonly string[], graph: Graph): Set<string> => {
  const found = new Set<string>()
  const follow = (id: string): void => {
    if (found.has(id) || id.includes('node_modules')) return
    found.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(follow)
  }
  for (const entry of entries) follow(normalizePath(resolve(web, entry)))
  return found
}

/** What people see first: the frame around their pages and the page they begin with. */
const firstOfMembers = ['modules/session/MemberFrame.tsx', 'modules/time/ClockPage.tsx']
const firstOfStaff = ['modules/session/AdminFrame.tsx', 'modules/reports/AdminHomePage.tsx']

/** Every screen that an address shows, by its module in `web/`. */
const screens = (): string[] =>
  [...readFileSync(resolve(web, 'pages.ts'), 'utf8').matchAll(/import\('\.\/(.+?)'\)/g)].map(
    ([, module]) => module!,
  )

type Layer = 'login' | 'app' | 'member' | 'staff' | 'common'
let layers: ((id: string) => Layer | undefined) | undefined

const makeLayers = (graph: Graph): ((id: string) => Layer | undefined) => {
  const login = loadedWith(['renew.ts', 'start-login.ts'], graph)
  const app = loadedWith(['start-app.ts'], graph)
  // What starts a page stays apart: a file that other pages load must start nothing.
  for (const set of [login, app])
    for (const start of ['start-login.ts', 'start-app.ts']) set.delete(normalizePath(resolve(web, start)))
  const [member, staff] = [loadedWith(firstOfMembers, graph), loadedWith(firstOfStaff, graph)]
  const others = loadedWith(
    screens().filter((screen) => !firstOfMembers.includes(screen)),
    graph,
  )
  return (id) => {
    if (login.has(id)) return 'login'
    if (app.has(id) || (member.has(id) && staff.has(id))) return 'app'
    if (member.has(id)) return others.has(id) ? 'common' : 'member'
    return staff.has(id) && !others.has(id) ? 'staff' : undefined
  }
}

/** In which of the large files a module of the product comes; undefined where the build decides. */
const layerOf = (id: string, graph: Graph): Layer | undefined => {
  layers ??= makeLayers(graph)
  return layers(id)
}

/** Whether a module stands on nothing but the product's own code and what every page has. */
const isPlain = (id: string, graph: Graph): boolean =>
  [...loadedWith([id], graph)].every(
    (own) =>
      layerOf(own, graph) ||
      graph
        .getModuleInfo(own)
        ?.importedIds.every(
          (imported) =>
            !imported.includes('node_modules') ||
            /node_modules\/(react|@tabler|@tanstack\/react-(query|router))\//.test(imported),
        ),
  )

/** One file for a layer and for the parts of libraries that it stands on. */
const layer = (name: Layer, libraries?: RegExp) => ({
  debugName: name,
  name: (id: string, graph: Graph) => (layerOf(id, graph) === name || libraries?.test(id) ? name : null),
})

/**
 * Which code comes together in one file. A screen of a hundred small files waits for a hundred answers, one large file makes the
 * login page wait for the whole product: so what every page needs comes in few files by layer, what some screens share and stands
 * on nothing else in one, and the rest as the build finds it (a file for each set of screens that use it).
 */
export const pageFiles = [
  layer('login', /preload-helper|node_modules\/(react|react-dom|scheduler)\//),
  layer('app', /node_modules\/@tanstack\/(react-)?(router|router-core|history|store|query|query-core)\//),
  { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
  { name: 'ui', test: /node_modules\/(@mantine|@floating-ui)\//, entriesAware: true },
  layer('common'),
  layer('member'),
  layer('staff'),
  {
    debugName: 'common',
    name: (id: string, graph: Graph) => (isPlain(id, graph) ? 'common' : null),
    test: /\.tsx?$/,
    minShareCount: 12,
  },
]
