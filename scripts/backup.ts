import { resolve } from 'node:path'
import { writeBackup } from '#server/core/backup/backup.ts'
import { readBackupOptions } from '#server/core/backup/backup-lock.ts'
import { BackupError, type Counts } from '#server/core/backup/manifest.ts'
import { ownCommand } from '#server/core/config/own-command.ts'
import { onInstallation } from './lib/command.ts'

await onInstallation({ attach: true }, async (installation) => {
  const { file, lock } = await readBackupOptions(process.argv.slice(2))
  if (!file) throw new BackupError(`Say where the backup goes: ${ownCommand('backup', 'FILE')}.`)
  const { tables, rows, files, bytes }: Counts = await writeBackup(resolve(file), installation, lock)
  console.log(
    `Backed up and read back: ${rows} rows of ${tables} tables and ${files} files in ${bytes} bytes, ${file}.\n${
      lock
        ? 'It is encrypted: without the identity of a recipient nobody opens it. Keep that apart from it.'
        : 'It holds personal data and keys: store it as safely as the database, or encrypt it with --recipient.'
    }`,
  )
})
