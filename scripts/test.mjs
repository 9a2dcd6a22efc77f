import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { environmentAt } from './lib/clock.mjs'
import { typeCheck } from './lib/compiler.mjs'
import { ensureInstalled, findNode } from './lib/install.mjs'
import { withFilesInMemory } from './lib/memory.mjs'
import { root, run, SetupError, script } from './lib/process.mjs'
import { keptCode } from './lib/server.mjs'

/**
 * Everything that has to be right. The last line is `N passed, N failed`; types, lint and
 * directions count as one check each. Arguments are paths: only the tests below them run. With `--changed` those run that the
 * files changed since `main` can break: tests that load one of them, and the journeys when a screen or a call may differ.
 * With `--clock 2027-03-13T23:55` the unit and API tests, and nothing else, run as if it were then.
 */
await script(async () => {
  await ensureInstalled({ dev: true })
  const { paths, clock } = readArguments(process.argv.slice(2))
  // Tests start a hundred processes of the product: compiling it for each took a tenth of the whole run.
  const env = { ...keptCode, ...withFilesInMemory(clock === undefined ? process.env : environmentAt(clock)) }
  const plan = paths.includes('--changed') ? planForChanges() : planFor(paths)
  const { isChecked, tests, journeys } = clock === undefined ? plan : { tests: plan.tests }
  const reports = mkdtempSync(join(tmpdir(), 'practicum-reports-'))
  const demoFolder = mkdtempSync(join(env.TMPDIR ?? tmpdir(), 'practicum-demo-'))
  const results = []
  try {
    // In the time that the build and the tests leave free: they wait now and then.
    const checks = isChecked ? Promise.all([checkTypes(), checkLint(), checkDirections()]) : []
    const hasJourneys = journeys && existsSync(join(root, 'journeys'))
    // Getting a browser waits for the network, and nothing waits for the browser before the journeys.
    const browser = hasJourneys ? ensureBrowser() : undefined
    browser?.catch(() => {})
    // What the server answers for whole pages comes from the built ones.
    if (isChecked || tests) await ensureBuilt()
    const demo = hasJourneys && tests ? makeDemo(join(demoFolder, 'data'), env) : {}
    if (tests) results.push(await runTests(tests, reports, env))
    results.push(...(await checks))
    if (hasJourneys)
      results.push(await runJourneys(journeys, await browser, reports, { ...env, ...(await demo) }))
  } finally {
    for (const folder of [reports, demoFolder]) rmSync(folder, { recursive: true, force: true })
  }
  const titles = results.flatMap(({ titles = [] }) => titles)
  if (titles.length > 0) console.log(`Failed:\n${titles.map((title) => `  ${title}`).join('\n')}`)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})

/** The time after `--clock`, '' when there is none, and everything else. */
function readArguments(args) {
  const at = args.indexOf('--clock')
  return at < 0 ? { paths: args } : { paths: args.toSpliced(at, 2), clock: args[at + 1] ?? '' }
}

/** What runs for these paths: everything when there are none. An empty list runs all of its kind. */
function planFor(paths) {
  const isJourney = (path) => path.startsWith('journeys')
  const isWhole = paths.length === 0
  const [tests, journeys] = [paths.filter((path) => !isJourney(path)), paths.filter(isJourney)]
  return {
    isChecked: isWhole,
    tests: isWhole || tests.length > 0 ? tests : undefined,
    journeys: isWhole || journeys.length > 0 ? journeys : undefined,
  }
}

/** What runs for the files that differ from `main`, new and uncommitted ones too. A journey that changed runs alone. */
function planForChanges() {
  const changed = [
    ...git('diff', '--name-only', '--diff-filter=d', '--merge-base', 'main'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  const own = changed.filter((path) => /^journeys\/.*\.spec\.ts$/.test(path))
  const isForAll = changed.some(
    (path) => /^(contract|web|journeys)\//.test(path) && !/\.(test|spec)\.tsx?$/.test(path),
  )
  return {
    isChecked: true,
    tests: ['--changed', 'main', '--passWithNoTests'],
    journeys: isForAll ? [] : own.length > 0 ? own : undefined,
  }
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0)
    throw new SetupError(`What changed since main cannot be found: ${stderr?.trim() || 'git is missing'}`)
  return stdout.split('\n').filter(Boolean)
}

function checkTypes() {
  const { args, env } = typeCheck('.')
  return check('types', args, env)
}

function checkLint() {
  return check('lint', [join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'])
}

function checkDirections() {
  const sides = ['contract', 'server', 'web'].filter((side) => existsSync(join(root, side)))
  const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  return check('directions', [cruiser, '--config', '.dependency-cruiser.cjs', ...sides])
}

async function check(name, args, more = {}) {
  console.log(`Checking ${name} …`)
  const env = { ...process.env, ...more }
  const isRight = (await run(findNode(), args, { env, priority: constants.priority.PRIORITY_LOW })) === 0
  return { passed: isRight ? 1 : 0, failed: isRight ? 0 : 1, titles: isRight ? [] : [name] }
}

async function runTests(paths, reports, env) {
  console.log('Running unit and API tests …')
  const report = join(reports, 'vitest.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run(findNode(), [vitest, 'run', ...reporters, ...paths], { env })
  return atLeastOneFailure(code, report, ({ numPassedTests, numFailedTests, testResults }) => {
    const unloaded = testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    )
    const failed = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
    )
    return {
      passed: numPassedTests,
      failed: numFailedTests + unloaded.length,
      titles: [...failed, ...unloaded.map(({ name }) => `${relative(root, name)} could not be loaded`)],
    }
  })
}

/** Makes the demo that journeys begin with, beside the unit tests. Where it fails, the journeys make it and say why it fails. */
async function makeDemo(folder, env) {
  const code = await run(findNode(), [join(root, 'journeys', 'make-demo.ts'), folder], { env })
  return code === 0 ? { PRACTICUM_JOURNEYS_DEMO: folder } : {}
}

async function runJourneys(paths, { path }, reports, given) {
  console.log('Running browser journeys …')
  const report = join(reports, 'playwright.json')
  const env = {
    ...given,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    // Node reads TypeScript itself: Playwright need not translate it, nor find each line of it again.
    PW_DISABLE_TS_ESM: '1',
    ...(path ? { CHROMIUM_PATH: path } : {}),
  }
  const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const code = await run(findNode(), [playwright, 'test', '--reporter=list,json', ...paths], { env })
  return atLeastOneFailure(code, report, ({ stats, errors, suites }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    titles: [...failedOf(suites), ...errors.map(({ message }) => message.split('\n')[0])],
  }))
}

function failedOf(suites = []) {
  return suites.flatMap(({ suites: inner, specs }) => [
    ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `journeys/${file}:${line} ${title}`),
    ...failedOf(inner),
  ])
}

/** A run that failed without a failed test, or without a report, still counts as a failure. */
function atLeastOneFailure(code, report, read) {
  const { passed, failed, titles } = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, titles: ['the run ended without a report'] }
  if (code !== 0 && failed === 0) return { passed, failed: 1, titles: [`a run ended with code ${code}`] }
  return { passed, failed, titles }
}
