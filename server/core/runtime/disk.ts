import { statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '#server/core/config/config.ts'

/** The room left on the disk of a folder, in bytes; undefined where nothing can be said of it. */
export const freeBytesOf = async (folder: string): Promise<number | undefined> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** The folders of this installation on this machine: of everything it keeps here, and of files unless they are in a bucket. */
export const ownFolders = ({
  dataDir,
  filesUrl,
}: Pick<Config, 'dataDir' | 'filesUrl'>): { of: 'data' | 'files'; folder: string }[] => [
  { of: 'data', folder: dataDir },
  ...(filesUrl.startsWith('file:') ? [{ of: 'files' as const, folder: fileURLToPath(filesUrl) }] : []),
]
