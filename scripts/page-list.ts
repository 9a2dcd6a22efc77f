import type { Rolldown } from 'vite'
import type { Announced, PageList } from '#server/core/http/built-pages.ts'
import type { Graph } from './page-files.ts'
import { allPages, idOf, moduleOf, screensAt, tableAt } from './screens.ts'

/** What the build of the pages has made. */
export interface Built {
  chunks: readonly Rolldown.OutputChunk[]
  /** The font that every page is written in. */
  fonts: readonly string[]
  graph: Graph
}

const expression = (pattern: string): string =>
  `^${pattern
    .split('/')
    .map((part) => (part.startsWith('$') ? '[^/]+' : part.replace(/[^\w-]/g, '\\$&')))
    .join('/')}$`

/** Modules of `web/` that others load when they are used, by their paths, but those named here and what they load. */
export const loadedLater = (
  entries: readonly string[],
  except: readonly string[],
  graph: Graph,
): string[] => {
  const later = new Set<string>()
  const seen = new Set<string>()
  const follow = (id: string): void => {
    if (seen.has(id) || except.includes(id)) return
    seen.add(id)
    const found = graph.getModuleInfo(id)
    for (const next of found?.dynamicallyImportedIds ?? [])
      if (next.startsWith(idOf('')) && !except.includes(next)) later.add(next)
    for (const next of [...(found?.importedIds ?? []), ...(found?.dynamicallyImportedIds ?? [])]) follow(next)
  }
  entries.forEach(follow)
  return [...later].map((id) => id.slice(idOf('').length + 1))
}

/** The files that some modules of `web/` load with. */
export const filesOf = (modules: readonly string[], chunks: readonly Rolldown.OutputChunk[]) => {
  const seen = new Set<Rolldown.OutputChunk>()
  const needed: Rolldown.OutputChunk[] = []
  // What a file imports comes before it: where rules are of equal weight, those of the later style sheet hold.
  const need = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || seen.has(chunk)) return
    seen.add(chunk)
    for (const name of chunk.imports) need(chunks.find(({ fileName }) => fileName === name))
    needed.push(chunk)
  }
  for (const module of modules) {
    const id = idOf(module)
    const chunk = chunks.find((one) => one.facadeModuleId === id) ?? chunks.find((one) => id in one.modules)
    if (!chunk) throw new Error(`${module} is in no file of the build.`)
    need(chunk)
  }
  return {
    scripts: needed.map(({ fileName }) => fileName),
    styles: [...new Set(needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))],
  }
}

/** What each address of `web/pages.ts` begins with (`dist/pages.json`), so that the server can announce it. */
export const pageListOf = ({ chunks, fonts }: Built): PageList => {
  const announcedAt = (path: string): Announced => {
    const shown = screensAt(path)
    return {
      ...filesOf(['app.tsx', tableAt(path), ...shown.map(moduleOf)], chunks),
      reads: shown.flatMap(({ reads }) => reads),
    }
  }
  const every = filesOf(['app.tsx'], chunks).scripts
  const addresses = allPages.map(({ path }) => path).filter((path) => path !== 'login')
  return {
    fonts: [...fonts],
    afterwards: filesOf(['offline.ts'], chunks).scripts.filter((file) => !every.includes(file)),
    login: { ...filesOf(['main.ts'], chunks), reads: [] },
    pages: [
      ...addresses.map((address) => ({ address: expression(address), ...announcedAt(address) })),
      { address: '^admin/', ...announcedAt('admin/not-found') },
      { address: '', ...announcedAt('not-found') },
    ],
  }
}
