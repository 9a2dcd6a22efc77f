import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled, findNode } from './lib/install.mjs'
import { run, script } from './lib/process.mjs'
import { serverArguments, serverEnvironment } from './lib/server.mjs'

/**
 * npm passes a signal on to the shell that is between, which dies of it alone. That it is gone is the signal then: a
 * server left behind would hold port and data.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}

await script(async () => {
  endWithNpm()
  await ensureInstalled({ dev: false })
  await ensureBuilt()
  return await run(findNode(), [...serverArguments, ...process.argv.slice(2)], {
    env: { ...serverEnvironment, ...process.env },
  })
})
