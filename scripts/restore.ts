import { resolve } from 'node:path'
import { BackupError, restoreBackup } from './lib/backup.ts'
import { onInstallation } from './lib/command.ts'

await onInstallation({ attach: false }, async (installation) => {
  const [file] = process.argv.slice(2)
  if (!file) throw new BackupError('Say which backup to restore: npm run restore -- FILE.')
  const { tables, rows, files } = await restoreBackup(resolve(file), installation)
  console.log(`Restored: ${rows} rows of ${tables} tables and ${files} files.`)
})
