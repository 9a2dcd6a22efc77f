import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled, findNode } from './lib/install.mjs'
import { run, script } from './lib/process.mjs'

await script(async () => {
  await ensureInstalled({ dev: false })
  await ensureBuilt()
  // A small young generation: answers are short-lived, and the process stays at about half the memory.
  return await run(findNode(), ['--max-semi-space-size=4', 'server/main.ts', ...process.argv.slice(2)])
})
