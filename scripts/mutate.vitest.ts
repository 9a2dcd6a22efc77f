import { defineConfig } from 'vitest/config'

/** The tests of the rules that `npm run mutate` changes: those that need no database. */
export default defineConfig({
  test: {
    isolate: false,
    include: [
      'contract/{core,evaluations,scheduling,time}/*.test.ts',
      'server/modules/{evaluations,identity,scheduling,time}/*.rules.test.ts',
      'server/test/*.rules.test.ts',
    ],
  },
})
