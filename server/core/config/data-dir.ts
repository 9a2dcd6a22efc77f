import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `DATA_DIR` cannot be used. The message is one sentence that says why and what to do. */
export class DataDirError extends Error {
  override name = 'DataDirError'
}

const marker = 'practicum.json'
/** What systems put into a folder by themselves; a folder with nothing else counts as empty. */
const ignored = new Set(['lost+found', '.DS_Store', '.gitkeep', '.gitignore'])

/**
 * Makes `DATA_DIR` when it is absent, and marks it as Practicum's with a file. A folder with somebody else's content is
 * refused before anything is written into it.
 *
 * @throws DataDirError when the folder belongs to something else or cannot be written
 */
export function claimDataDir(dataDir: string): void {
  try {
    const isNew = mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined
    if (!existsSync(join(dataDir, marker))) {
      const content = readdirSync(dataDir).filter((name) => !ignored.has(name))
      if (!isNew && content.length > 0 && !content.every(isDraftOfMarker)) {
        throw new DataDirError(
          `DATA_DIR (${dataDir}) is a folder with other things in it and was left as it is: name a new or empty folder.`,
        )
      }
      const body = { madeBy: 'practicum', format: 1, madeAt: new Date().toISOString() }
      writeFileSync(join(dataDir, marker), `${JSON.stringify(body)}\n`, { flush: true })
    }
    const probe = join(dataDir, `write-test.${process.pid}`)
    writeFileSync(probe, 'x')
    rmSync(probe, { force: true })
    // PostgreSQL refuses to run as root, so its user has to be able to pass through. What is inside stays closed.
    if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  } catch (error) {
    throw error instanceof DataDirError ? error : new DataDirError(describe(dataDir, error))
  }
}

/** A second process that starts at the same moment may have written its probe before the marker was seen here. */
function isDraftOfMarker(name: string): boolean {
  return name === marker || name.startsWith('write-test.')
}

function describe(dataDir: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    EACCES: 'the user who runs Practicum may not write there',
    EPERM: 'the user who runs Practicum may not write there',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'it is a file',
    ENOENT: 'the path does not exist and cannot be made',
  }
  const reason = reasons[code ?? ''] ?? message
  return `DATA_DIR (${dataDir}) cannot be used because ${reason}: name a folder that can be written.`
}
