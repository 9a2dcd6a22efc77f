import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled, findNode } from './lib/install.mjs'
import { run, script } from './lib/process.mjs'
import { serverArguments, serverEnvironment } from './lib/server.mjs'

await script(async () => {
  await ensureInstalled({ dev: false })
  await ensureBuilt()
  return await run(findNode(), [...serverArguments, ...process.argv.slice(2)], {
    env: { ...serverEnvironment, ...process.env },
  })
})
