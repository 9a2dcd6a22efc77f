import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled, findNode } from './lib/install.mjs'
import { root, run, script } from './lib/process.mjs'

/**
 * Everything that has to be right, in the order of its price. The last line is `N passed, N failed`; types, lint,
 * directions and unused code count as one check each. Arguments are paths: only the tests below them run.
 */
await script(async () => {
  await ensureInstalled({ dev: true })
  const paths = process.argv.slice(2)
  const isJourney = (path) => path.startsWith('journeys')
  const reports = mkdtempSync(join(tmpdir(), 'practicum-reports-'))
  const results = []
  try {
    if (paths.length === 0)
      results.push(await checkTypes(), await checkLint(), await checkDirections(), await checkUnused())
    const tests = paths.filter((path) => !isJourney(path))
    if (paths.length === 0 || tests.length > 0) results.push(await runTests(tests, reports))
    const journeys = paths.filter(isJourney)
    if ((paths.length === 0 || journeys.length > 0) && existsSync(join(root, 'journeys'))) {
      results.push(await runJourneys(journeys, reports))
    }
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
  const titles = results.flatMap(({ titles = [] }) => titles)
  if (titles.length > 0) console.log(`Failed:\n${titles.map((title) => `  ${title}`).join('\n')}`)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})

/** TypeScript 7 is ten times faster; where its program does not run, 6 says the same. */
function checkTypes() {
  const fast = join(root, 'node_modules', 'tsc7', 'bin', 'tsc')
  const isFast = existsSync(fast) && spawnSync(findNode(), [fast, '--version']).status === 0
  const compiler = isFast ? fast : join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return check('types', [compiler, '--noEmit', '-p', '.'])
}

function checkLint() {
  return check('lint', [join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'])
}

function checkDirections() {
  const sides = ['contract', 'server', 'web'].filter((side) => existsSync(join(root, side)))
  const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  return check('directions', [cruiser, '--config', '.dependency-cruiser.cjs', ...sides])
}

/** Files, exports and packages that nothing uses. */
function checkUnused() {
  return check('unused code', [join(root, 'node_modules', 'knip', 'bin', 'knip.js'), '--no-progress'])
}

async function check(name, args) {
  console.log(`Checking ${name} …`)
  const isRight = (await run(findNode(), args)) === 0
  return { passed: isRight ? 1 : 0, failed: isRight ? 0 : 1, titles: isRight ? [] : [name] }
}

async function runTests(paths, reports) {
  // What the server answers for whole pages comes from the built ones.
  await ensureBuilt()
  console.log('Running unit and API tests …')
  const report = join(reports, 'vitest.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run(findNode(), [vitest, 'run', ...reporters, ...paths])
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

async function runJourneys(paths, reports) {
  const { path } = await ensureBrowser()
  console.log('Running browser journeys …')
  const report = join(reports, 'playwright.json')
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
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
