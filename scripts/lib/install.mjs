import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { markInUse, whileUnused } from './folder-lock.mjs'
import { root, run, SetupError } from './process.mjs'

/** The server runs TypeScript as it is, from this version on. */
const wantedMajor = 24
const ownNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * Installs the packages when something is missing or of another version than package-lock.json says, whoever installed
 * them before. Takes some 10 ms when nothing is to do.
 *
 * @param {{ dev: boolean }} wanted `dev` for the packages that only tests and tools need
 */
export async function ensureInstalled({ dev }) {
  const isDone = () => isInstalled(dev) && (existsSync(ownNode) || isNewEnough())
  await whileUnused(isDone, async () => {
    if (!isInstalled(dev)) {
      console.log('Installing packages …')
      // Without its warnings: npm compares the packages with its own Node, and they run with the one installed here.
      const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
      const code = await runNpm(['ci', dev ? '--include=dev' : '--omit=dev', ...quiet])
      if (code !== 0)
        throw new SetupError('The packages could not be installed: see npm above, and try again.')
    }
    if (!existsSync(ownNode) && !isNewEnough()) await installNode()
  })
  markInUse()
}

/** @returns {string} a Node that runs the server: the installed one, else the machine's own when it is new enough */
export function findNode() {
  if (existsSync(ownNode)) return ownNode
  if (isNewEnough()) return process.execPath
  throw new SetupError(`Node ${wantedMajor} is missing in node_modules: run "npm ci" and start again.`)
}

/** Compares package-lock.json with the list that npm keeps of what it has installed. */
function isInstalled(dev) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted)
    throw new SetupError('package-lock.json is missing or damaged: get a fresh copy of the repository.')
  if (!installed) return false
  return Object.entries(wanted).every(([path, one]) => {
    const isNeeded = path !== '' && !one.optional && !((one.dev || one.devOptional) && !dev)
    return !isNeeded || (installed[path]?.version === one.version && existsSync(join(root, path)))
  })
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= wantedMajor
}

/** The package `node` fetches its program in an install script, which `--ignore-scripts` leaves out. */
async function installNode() {
  console.log(`Fetching Node ${wantedMajor} …`)
  const folder = dirname(dirname(ownNode))
  const code = await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder })
  if (code === 0 && existsSync(ownNode)) return
  throw new SetupError(
    `Node ${wantedMajor} could not be fetched: run "npm ci" without --ignore-scripts, or start with Node ${wantedMajor}.`,
  )
}

/**
 * Installs packages that only one command needs, once, in a temporary folder: what `npm ci` brings has to be unpacked for every
 * start and every test.
 *
 * @param {string} what names the folder, with the version
 * @param {readonly string[]} packages with their versions
 * @returns {Promise<string>} the folder; its packages are in `node_modules`
 */
export async function installApart(what, packages) {
  const folder = join(tmpdir(), `practicum-${what}`)
  const mark = join(folder, 'installed')
  if (existsSync(mark)) return folder
  console.log(`Installing ${packages.join(', ')} …`)
  mkdirSync(folder, { recursive: true })
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps']
  const code = await runNpm(['install', '--prefix', folder, ...quiet, ...packages])
  if (code !== 0)
    throw new SetupError(`${packages.join(', ')} could not be installed: see npm above, and try again.`)
  writeFileSync(mark, '')
  return folder
}

/**
 * npm's own files are run by the Node that runs npm: on Windows `npm` is no program that can be spawned, and the Node of
 * node_modules is about to be replaced.
 *
 * @param {readonly string[]} args
 */
export function runNpm(args) {
  const node = process.env.npm_node_execpath ?? process.execPath
  const besideNode = [
    join(dirname(node), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(dirname(node), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const cli = [process.env.npm_execpath, ...besideNode].find(
    (path) => path?.endsWith('npm-cli.js') && existsSync(path),
  )
  return cli ? run(node, [cli, ...args]) : run('npm', args)
}
