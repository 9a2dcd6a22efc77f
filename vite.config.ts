import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractOfScreens } from './scripts/contract-of-screens.ts'
import { writeMade } from './scripts/lib/made.ts'
import { mapOutlines } from './scripts/map-outlines.ts'
import { pageFiles } from './scripts/page-files.ts'
import { themeStyles } from './scripts/theme-styles.ts'
import { wordsByUse } from './scripts/words-by-use.ts'

const ranks = new Map<string, number>()
/** Names in the order in which any list had them first. */
const inSameOrder = (names: readonly string[]): string[] => {
  for (const name of names) if (!ranks.has(name)) ranks.set(name, ranks.size)
  // Each has its rank.
  return names.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!)
}

const firstName = (name: string): string => name.split('~')[0]!

/** The outlines of maps as modules; answers the path of the one that names the others. */
const writeOutlines = (): string => {
  const paths = [...mapOutlines()].map(([name, text]) => writeMade(`outlines/${name}`, text))
  // The list of all comes last.
  return paths.at(-1)!
}

/**
 * The pages are built once for every APP_ROOT: addresses in them are relative, and the server writes the root into the
 * one HTML file when it starts.
 */
export default defineConfig({
  root: 'web',
  base: './',
  plugins: [react(), wordsByUse(), contractOfScreens()],
  resolve: {
    alias: {
      '@mantine/core/styles/default-css-variables.layer.css': writeMade('theme.css', themeStyles()),
      // What would write them in the browser (`withCssVariables` is off in `Providers`) is 1.4 kB of every page.
      './MantineCssVariables/MantineCssVariables.mjs': writeMade(
        'no-variables.js',
        'export const MantineCssVariables = () => null',
      ),
      'virtual:map-outlines': writeOutlines(),
    },
  },
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
