import { resolve } from 'node:path'
import { readRestoreOptions } from '#server/core/backup/backup-lock.ts'
import { BackupError } from '#server/core/backup/manifest.ts'
import { restoreBackup } from '#server/core/backup/restore.ts'
import { ownCommand } from '#server/core/config/own-command.ts'
import { onInstallation } from './lib/command.ts'

await onInstallation({ attach: false, isRestore: true }, async (installation) => {
  const { file, lock } = readRestoreOptions(process.argv.slice(2))
  if (!file) throw new BackupError(`Say which backup to restore: ${ownCommand('restore', 'FILE')}.`)
  const { tables, rows, files } = await restoreBackup(resolve(file), installation, lock)
  console.log(
    `Restored: ${rows} rows of ${tables} tables and ${files} files.\n` +
      `It is a copy: it sends no emails, webhooks or notifications until System Status or "${ownCommand('admin', 'real-one')}" says that it ` +
      'is the real one.',
  )
})
