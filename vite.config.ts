import { hash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractOfScreens } from './scripts/contract-of-screens.ts'
import { mapOutlines } from './scripts/map-outlines.ts'
import { pageFiles } from './scripts/page-files.ts'
import { pageList } from './scripts/page-list.ts'
import { serviceWorker } from './scripts/service-worker.ts'
import { textSize } from './scripts/text-size.ts'
import { themeWrittenOut } from './scripts/theme-styles.ts'
import { wordsByUse } from './scripts/words-by-use.ts'

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
const packed = (): Plugin => ({
  name: 'packed',
  apply: 'build',
  writeBundle: {
    sequential: true,
    order: 'post',
    // As they are on the disk, where each script is in every language.
    handler: async ({ dir }) => {
      const names = await Array.fromAsync(glob('**/*.{js,css}', { cwd: dir! }))
      await Promise.all(
        names.map(async (name) => {
          const file = join(dir!, name)
          const [brotli, gzipped] = await pack(await readFile(file))
          await writeFile(`${file}.br`, brotli)
          await writeFile(`${file}.gz`, gzipped)
        }),
      )
    },
  },
})

const ranks = new Map<string, number>()
/** Names in the order in which any list had them first. */
const inSameOrder = (names: readonly string[]): string[] => {
  for (const name of names) if (!ranks.has(name)) ranks.set(name, ranks.size)
  // Each has its rank.
  return names.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!)
}

const firstName = (name: string): string => name.split('~')[0]!

/**
 * The pages are built once for every APP_ROOT: addresses in them are relative, and the server writes the root into the
 * one HTML file when it starts.
 */
export default defineConfig({
  root: 'web',
  base: './',
  plugins: [
    react(),
    wordsByUse(),
    textSize(),
    themeWrittenOut(),
    contractOfScreens(),
    mapOutlines(),
    pageList(),
    serviceWorker(),
    packed(),
  ],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2023',
    modulePreload: {
      polyfill: false,
      // What every page has is there when another one is opened; its name would be in the list of each of them. In the same
      // order everywhere the lists pack best.
      resolveDependencies: (_file, names, { hostId }) =>
        inSameOrder(
          names
            .filter((name) => !/\/(rolldown-runtime|login|app)-/.test(name))
            // The frame of staff comes before the table of their pages.
            .filter(
              (name) => !hostId.includes('/staff-pages-') || !/\/(staff|staff-pages|icons)-/.test(name),
            ),
        ),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Files that several screens share would bear all their names. Each sign of a hash is in every list that names the file.
        chunkFileNames: ({ name }) => `assets/${firstName(name)}-[hash:7].js`,
        assetFileNames: ({ names: [name = 'file'] }) =>
          `assets/${name.includes('~') ? firstName(name) : '[name]'}-[hash:6][extname]`,
        codeSplitting: { groups: pageFiles },
        // Chromium compiles what a file has while it loads, beside the page, and not with the press that needs it first.
        postBanner: '//# allFunctionsCalledOnLoad',
      },
    },
  },
})
