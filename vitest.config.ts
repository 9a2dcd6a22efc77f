import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { wordsByUse } from './scripts/words-by-use.ts'

/** Packages load as they do in the product: what some have for bundlers is TypeScript, and Node reads none of packages. */
const packagesOfTheProduct: Plugin = {
  name: 'packages-of-the-product',
  configResolved: ({ ssr }) => {
    Object.assign(ssr.resolve, { conditions: ['node'] })
  },
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Some files wait more than they work.
    maxWorkers: 3,
    // A file starts in a third of the time where the one before it has loaded the code; no module of ours remembers an installation.
    isolate: false,
    // Only what hangs is ended by it: on a busy machine a test takes many times its second.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    projects: [
      {
        extends: true,
        plugins: [wordsByUse()],
        test: {
          name: 'unit',
          environment: 'node',
          include: ['contract/**/*.test.ts', 'web/**/*.test.ts', 'web/**/*.test.tsx'],
        },
      },
      {
        extends: true,
        plugins: [packagesOfTheProduct],
        test: {
          name: 'server',
          environment: 'node',
          include: ['server/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          // Node reads the files itself, as it does for the product, and keeps their compiled code.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
    ],
  },
})
