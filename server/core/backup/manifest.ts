import { existsSync, statSync } from 'node:fs'
import { z } from 'zod'
import { deriveKey } from '#server/core/config/config.ts'
import type { Log } from '#server/core/database/log.ts'
import { type BackupLock, isLocked } from './backup-lock.ts'

/** A backup cannot be made or restored. One sentence: what happened, what was kept, what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** What is backed up, or restored into. */
export type Installation = {
  ownerUrl: string
  /** `FILES_URL`, a folder or a bucket. */
  filesUrl: string
  secretKey: string
  /** Where the secret key is kept; absent when it comes from the environment. */
  secretKeyFile?: string
  /** Folder of the migrations. */
  migrations: string
  log: Log
}

export type Counts = { tables: number; rows: number; files: number; bytes: number }

const text = z.string()
const Table = z.object({ schema: text, name: text, columns: z.array(text), rows: z.number() })
const Sequence = z.object({ schema: text, name: text, value: text, isCalled: z.boolean() })
export const Manifest = z.object({
  format: z.literal(1),
  /** Of the Practicum that made it; backups of before 1.0 do not say. */
  version: text.optional(),
  madeAt: text,
  migrations: z.array(z.object({ id: z.number(), name: text, sha256: text })).min(1),
  /** Tells whether a secret key is the one of the backup, and nothing else about it. */
  secretKeyMark: text,
  tables: z.array(Table),
  sequences: z.array(Sequence),
  /** Every other entry by its name. */
  entries: z.record(text, z.object({ size: z.number(), sha256: text })),
})
export type Table = z.infer<typeof Table>
export type Sequence = z.infer<typeof Sequence>
export type Manifest = z.infer<typeof Manifest>

export const manifestName = 'manifest.json'
export const secretKeyName = 'secret.key'

export function markOf(secretKey: string): string {
  return deriveKey(secretKey, 'mark in a backup').toString('hex')
}
/** What opens the file, if it is encrypted. */
export async function lockFor(path: string, lock: BackupLock | undefined): Promise<BackupLock | undefined> {
  if (!(await isLocked(path))) return undefined
  if (lock) return lock
  throw new BackupError(
    `${path} is encrypted, and nothing was changed: name what opens it by --identity-file.`,
  )
}

export function refuseNoFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return
  throw new BackupError(
    `${path} ${existsSync(path) ? 'is no file' : 'does not exist'}, and nothing was changed: name the file of a backup.`,
  )
}
