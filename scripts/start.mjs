import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled, findNode } from './lib/install.mjs'
import { run, script } from './lib/process.mjs'

await script(async () => {
  await ensureInstalled({ dev: false })
  await ensureBuilt()
  return await run(findNode(), ['server/main.ts', ...process.argv.slice(2)])
})
