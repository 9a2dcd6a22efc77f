import { resolve } from 'node:path'
import { ownCommand } from '#server/core/config/own-command.ts'
import { BackupError, restoreBackup } from './lib/backup.ts'
import { readRestoreOptions } from './lib/backup-lock.ts'
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
