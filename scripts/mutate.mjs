import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, findNode, installApart } from './lib/install.mjs'
import { root, run, script } from './lib/process.mjs'

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
  const folder = await install()
  const stryker = join(folder, 'node_modules', '@stryker-mutator')
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

/** Installs Stryker, with the packages of this repository that it looks for beside itself, and answers its folder. */
async function install() {
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`)
  const folder = await installApart(`mutation-${version}`, packages)
  for (const name of ['typescript', 'vitest']) {
    const link = join(folder, 'node_modules', name)
    if (!existsSync(link)) symlinkSync(join(root, 'node_modules', name), link, 'junction')
  }
  return folder
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
