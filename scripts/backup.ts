import { resolve } from 'node:path'
import { BackupError, type Counts, writeBackup } from './lib/backup.ts'
import { onInstallation } from './lib/command.ts'

await onInstallation({ attach: true }, async (installation) => {
  const [file] = process.argv.slice(2)
  if (!file) throw new BackupError('Say where the backup goes: npm run backup -- FILE.')
  const { tables, rows, files, bytes }: Counts = await writeBackup(resolve(file), installation)
  console.log(
    `Backed up and read back: ${rows} rows of ${tables} tables and ${files} files in ${bytes} bytes, ${file}.\n` +
      'It holds personal data and keys: store it as safely as the database.',
  )
})
