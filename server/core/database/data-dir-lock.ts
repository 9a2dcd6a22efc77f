import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type DataDirLock = { release(): void }

const busyCode = 5

/**
 * Takes `DATA_DIR` for this process, or returns undefined when another process has it.
 *
 * The lock is the operating system's lock on a file, which Node offers through SQLite only. Unlike a file with a process
 * id it ends with its process however that dies, and a reused id cannot look like its owner.
 */
export function tryLockDataDir(dataDir: string): DataDirLock | undefined {
  const database = new DatabaseSync(join(dataDir, 'practicum.lock'), { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === busyCode) return undefined
    throw error
  }
  const pidFile = join(dataDir, 'practicum.pid')
  writeFileSync(pidFile, `${process.pid}\n`)
  let isHeld = true
  return {
    release() {
      if (!isHeld) return
      isHeld = false
      rmSync(pidFile, { force: true })
      database.close()
    },
  }
}

/** The process that holds the lock, for a message; the lock itself does not depend on it. */
export function findLockHolder(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'practicum.pid'), 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}
