import { ensureInstalled, findNode } from './lib/install.mjs'
import { run, SetupError, script } from './lib/process.mjs'

/** What needs packages that an installation for use does not have. */
const needsDev = (file) =>
  file.startsWith('bench/') ||
  [
    'cluster-test',
    'cut-test',
    'icons',
    'install-test',
    'new',
    'outside',
    'pictures',
    'release',
    'types',
    'upgrade-test',
  ].includes(file.replace(/^scripts\/(.+)\.ts$/, '$1'))

await script(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (!file) throw new SetupError('Say which file to run: node scripts/run.mjs FILE [arguments].')
  await ensureInstalled({ dev: needsDev(file) })
  return await run(findNode(), [file, ...args])
})
