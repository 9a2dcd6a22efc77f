import { hash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import config from '../vite.config.ts'
import { root } from './lib/process.mjs'
import { moduleGraph } from './page-files.ts'
import { pageListOf } from './page-list.ts'
import { makeWorker } from './service-worker.ts'

const dist = join(root, 'dist')

const packs = new Map<string, Promise<[brotli: Buffer, gzip: Buffer]>>()
/** As small as can be. Most scripts have no words and are the same in every language: once is enough. */
const pack = (bytes: Buffer): Promise<[brotli: Buffer, gzip: Buffer]> => {
  const key = hash('sha1', bytes)
  const made =
    packs.get(key) ?? Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes, { level: 9 })])
  packs.set(key, made)
  return made
}

/** Packs scripts and styles before anybody asks for them, so that no request waits for it (`server/core/http/web.ts` serves them). */
const packAll = async (): Promise<void> => {
  const names = globSync('**/*.{js,css}', { cwd: dist })
  await Promise.all(
    names.map(async (name) => {
      const file = join(dist, name)
      const [brotli, gzipped] = await pack(await readFile(file))
      await writeFile(`${file}.br`, brotli)
      await writeFile(`${file}.gz`, gzipped)
    }),
  )
}

/** Styles come behind the mark, which shows while they are on their way; scripts wait for them wherever they are. */
const stylesLast = (html: string): string => {
  const styles = /\s*<link rel="stylesheet"[^>]*>/g
  return html.replace(styles, '').replace('</body>', `${html.match(styles)?.join('') ?? ''}\n</body>`)
}

/** Builds the pages into `dist/`. The worker comes last: the server takes a build without it for one that is not finished. */
// As it is here, and not read anew: the graph of its files is asked for below.
const { output } = (await build({
  ...config,
  configFile: false,
  logLevel: 'warn',
})) as Rolldown.RolldownOutput
const chunks = output.filter((file) => file.type === 'chunk')
const fonts = output.map(({ fileName }) => fileName).filter((name) => name.includes('latin-wght-normal'))
const built = { chunks, fonts, graph: moduleGraph() }
const page = join(dist, 'index.html')
await writeFile(page, stylesLast(await readFile(page, 'utf8')))
await writeFile(join(dist, 'pages.json'), JSON.stringify(pageListOf(built)))
const worker = await makeWorker(built, dist)
await packAll()
await writeFile(join(dist, 'sw.js'), worker)
