import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, SetupError } from './process.mjs'

/** Who works with the packages of this folder: one small file for each process. Never in node_modules, which npm deletes. */
const folder = join(root, '.practicum')
const installing = join(folder, 'installing')
const pollMs = 500
/** Longer than it takes to say who installs. */
const namelessMs = 5_000

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return error.code === 'EPERM'
  }
}

/** The processes other than this one that run on these packages; notes of dead ones are taken away. */
const othersRunning = () => {
  if (!existsSync(folder)) return []
  const pids = readdirSync(folder)
    .map((name) => /^running-(\d+)$/.exec(name)?.[1])
    .filter((pid) => pid !== undefined)
    .map(Number)
  for (const pid of pids) if (!isAlive(pid)) rmSync(join(folder, `running-${pid}`), { force: true })
  return pids.filter((pid) => pid !== process.pid && isAlive(pid))
}

/** Notes that this process and what it starts use the packages, until it ends. */
export const markInUse = () => {
  mkdirSync(folder, { recursive: true })
  const note = join(folder, `running-${process.pid}`)
  writeFileSync(note, '')
  process.once('exit', () => rmSync(note, { force: true }))
}

/** The process that installs at this moment; 0 while it has not said who it is. */
const installer = () => {
  try {
    return Number(readFileSync(join(installing, 'pid'), 'utf8'))
  } catch {
    return 0
  }
}

/** Whether whoever installed was killed, perhaps before it could say who it is. */
const isAbandoned = () => {
  const pid = installer()
  if (pid !== 0) return pid === process.pid || !isAlive(pid)
  const since = statSync(installing, { throwIfNoEntry: false })?.mtimeMs
  return since !== undefined && Date.now() - since > namelessMs
}

/**
 * Does work on the packages while nobody else uses or installs them: npm takes away what it replaces, also from below a running
 * server. Whoever comes while another process installs waits for it, and looks again whether there is anything left to do.
 *
 * @param {() => boolean} isDone
 * @param {() => Promise<void>} work
 * @throws {SetupError} when something runs on them
 */
export const whileUnused = async (isDone, work) => {
  mkdirSync(folder, { recursive: true })
  for (;;) {
    if (isDone()) return
    const [pid] = othersRunning()
    if (pid !== undefined)
      throw new SetupError(
        `Packages are missing or changed, and process ${pid} runs Practicum from this folder: nothing was changed; stop it first, or work in another copy of the repository.`,
      )
    try {
      mkdirSync(installing)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (isAbandoned()) rmSync(installing, { recursive: true, force: true })
      else await sleep(pollMs)
    }
  }
  try {
    writeFileSync(join(installing, 'pid'), String(process.pid))
    await work()
  } finally {
    rmSync(installing, { recursive: true, force: true })
  }
}
