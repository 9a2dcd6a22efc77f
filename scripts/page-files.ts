import { resolve } from 'node:path'
import { normalizePath } from 'vite'

interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}

/** The modules of the product that some load with: they, those that they import, and so on. */
const loadedWith = (entries: readonly string[], graph: Graph): Set<string> => {
  const found = new Set<string>()
  const follow = (id: string): void => {
    if (found.has(id) || id.includes('node_modules')) return
    found.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(follow)
  }
  for (const entry of entries) follow(normalizePath(resolve(import.meta.dirname, '..', 'web', entry)))
  return found
}

const layerNames = ['begin', 'pages', 'login', 'app', 'member', 'staff'] as const
type Layer = (typeof layerNames)[number]

let layers: Record<Layer, Set<string>> | undefined

/** In which of the large files a module comes: that of the login page, of all other pages, of one of the frames. */
const layerOf = (id: string, graph: Graph): Layer | undefined => {
  layers ??= {
    begin: loadedWith(['renew.ts', 'api/begin.ts'], graph),
    pages: loadedWith(['pages.ts'], graph),
    login: loadedWith(['show.tsx', 'modules/identity/LoginPage.tsx'], graph),
    app: loadedWith(['app.tsx'], graph),
    member: loadedWith(['modules/session/MemberFrame.tsx'], graph),
    staff: loadedWith(['modules/session/AdminFrame.tsx'], graph),
  }
  const { begin, pages, login, app, member, staff } = layers
  if (begin.has(id)) return 'begin'
  if (pages.has(id)) return 'pages'
  if (login.has(id)) return 'login'
  if (app.has(id) || (member.has(id) && staff.has(id))) return 'app'
  return member.has(id) ? 'member' : staff.has(id) ? 'staff' : undefined
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
            /node_modules\/(react|zod|@tabler|@tanstack\/react-(query|router))\//.test(imported),
        ),
  )

/**
 * Which code comes together in one file. A screen of a hundred small files waits for a hundred answers, one large file makes the
 * login page wait for the whole product: so what every page needs comes in few files by layer, what some screens share and stands
 * on nothing else in one, and the rest as the build finds it (a file for each set of screens that use it).
 */
export const pageFiles = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'preload', test: /preload-helper/ },
  { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
  { name: 'ui', test: /node_modules\/(@mantine|@floating-ui)\//, entriesAware: true },
  {
    name: 'base',
    test: /node_modules\/(zod|@tanstack\/(react-)?(router|router-core|history|store|query|query-core))\//,
  },
  ...layerNames.map((layer) => ({
    debugName: layer,
    name: (id: string, graph: Graph) => (layerOf(id, graph) === layer ? layer : null),
    test: /\.tsx?$/,
  })),
  {
    debugName: 'common',
    name: (id: string, graph: Graph) => (isPlain(id, graph) ? 'common' : null),
    test: /\.tsx?$/,
    minShareCount: 12,
  },
]
