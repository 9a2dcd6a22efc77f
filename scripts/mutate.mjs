import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, findNode, runNpm } from './lib/install.mjs'
import { root, run, SetupError, script } from './lib/process.mjs'

/**
 * Mutation tests: changes the pure rules in thousands of small ways and counts which changes no test notices. It takes
 * minutes, so it is neither part of `npm test` nor of CI, and is installed in a temporary folder. Arguments are files of rules.
 */
const version = '10.1.1'
const minKilled = 85
const rules = [
  'contract/core/calendar.ts',
  'contract/core/levels.ts',
  'contract/core/permissions.ts',
  'contract/evaluations/*-rules.ts',
  'contract/scheduling/*-rules.ts',
  'contract/time/insight.ts',
  'server/modules/identity/authenticator.rules.ts',
  'server/modules/scheduling/*.rules.ts',
  'server/modules/time/*.rules.ts',
]
/** Which changes are not made: what a text for people says is for the tests of screens, and no rule. */
const excludedMutations = ['StringLiteral']

await script(async () => {
  await ensureInstalled({ dev: true })
  const folder = join(tmpdir(), `practicum-mutation-${version}`)
  const stryker = await install(folder)
  const report = join(folder, 'report.json')
  const paths = process.argv.slice(2)
  const settings = join(folder, 'settings.json')
  writeFileSync(
    settings,
    JSON.stringify({
      mutate: paths.length > 0 ? paths : rules,
      mutator: { excludedMutations },
      testRunner: 'vitest',
      vitest: { configFile: 'scripts/mutate.vitest.ts' },
      plugins: [pathToFileURL(join(stryker, 'vitest-runner', 'dist', 'src', 'index.js')).href],
      ignorePatterns: ['bench', 'data', 'dist', 'docs', 'journeys', 'web'],
      tempDirName: join(folder, 'sandboxes'),
      reporters: ['progress-append-only', 'clear-text', 'json'],
      clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
      jsonReporter: { fileName: report },
      concurrency: 2,
    }),
  )
  const node = findNode()
  const code = await run(node, [join(stryker, 'core', 'bin', 'stryker.js'), 'run', settings])
  if (code !== 0) return code
  const weak = scores(report).filter(({ killed }) => killed < minKilled)
  for (const { path, killed } of weak)
    console.log(`${path}: ${killed.toFixed(1)} % killed, ${minKilled} % are wanted.`)
  return weak.length === 0 ? 0 : 1
})

/** Installs Stryker once in the folder, with the packages of this repository that it looks for beside itself, and answers where its packages are. */
async function install(folder) {
  const packages = join(folder, 'node_modules', '@stryker-mutator')
  if (existsSync(join(folder, 'node_modules', 'vitest'))) return packages
  console.log('Installing Stryker …')
  mkdirSync(folder, { recursive: true })
  const names = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`)
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps']
  const code = await runNpm(['install', '--prefix', folder, ...quiet, ...names])
  if (code !== 0) throw new SetupError('Stryker could not be installed: see npm above, and try again.')
  for (const name of ['typescript', 'vitest'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  return packages
}

/** How many of the changes of each file were noticed, in percent. */
function scores(report) {
  const { files } = JSON.parse(readFileSync(report, 'utf8'))
  return Object.entries(files).map(([path, { mutants }]) => {
    const count = (...wanted) => mutants.filter(({ status }) => wanted.includes(status)).length
    const killed = count('Killed', 'Timeout')
    const all = killed + count('Survived', 'NoCoverage')
    return { path, killed: all === 0 ? 100 : (100 * killed) / all }
  })
}
