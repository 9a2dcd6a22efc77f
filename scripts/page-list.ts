import type { Plugin, Rolldown } from 'vite'
import type { Announced, PageList } from '#server/core/http/built-pages.ts'
import { allPages, idOf, moduleOf, screensAt, tableAt } from './screens.ts'

const expression = (pattern: string): string =>
  `^${pattern
    .split('/')
    .map((part) => (part.startsWith('$') ? '[^/]+' : part.replace(/[^\w-]/g, '\\$&')))
    .join('/')}$`

interface Graph {
  getModuleInfo: (
    id: string,
  ) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

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
export const filesOf = (modules: readonly string[], bundle: Rolldown.OutputBundle) => {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
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

/** Writes what each address of `web/pages.ts` begins with to `dist/pages.json`, so that the server can announce it. */
export const pageList = (): Plugin => ({
  name: 'page-list',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    // Behind the mark, which shows while they are on their way; scripts wait for them wherever they are.
    handler: (html) => {
      const styles = /\s*<link rel="stylesheet"[^>]*>/g
      return html.replace(styles, '').replace('</body>', `${html.match(styles)?.join('') ?? ''}\n</body>`)
    },
  },
  generateBundle(_options, bundle) {
    const announcedAt = (path: string): Announced => {
      const shown = screensAt(path)
      return {
        ...filesOf(['app.tsx', tableAt(path), ...shown.map(moduleOf)], bundle),
        reads: shown.flatMap(({ reads }) => reads),
      }
    }
    const addresses = allPages.map(({ path }) => path).filter((path) => path !== 'login')
    const list: PageList = {
      fonts: Object.keys(bundle).filter((name) => name.includes('latin-wght-normal')),
      login: { ...filesOf(['main.ts'], bundle), reads: [] },
      pages: [
        ...addresses.map((address) => ({ address: expression(address), ...announcedAt(address) })),
        { address: '^admin/', ...announcedAt('admin/not-found') },
        { address: '', ...announcedAt('not-found') },
      ],
    }
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(list) })
  },
})
