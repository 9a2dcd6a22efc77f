import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { readBackupOptions } from '#server/core/backup/backup-lock.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import { type ExportColumn, hoursColumns, tableFile } from '#server/core/files/table.ts'
import { zipFile } from '#server/core/files/zip.ts'
import { type Running, startDemo } from './running.ts'

interface Row {
  name: string
  date: string
  minutes: number
}

/** What the judges are asked to find again in a workbook and its CSV. */
export const written = {
  rows: 1_202,
  name: 'Zoë "Q" <&> 王小明',
  date: '2026-12-03',
  hours: 1 / 3,
  total: 400,
}

const names = ['王小明', '김민준', 'محمد علي', 'דוד לוי', 'Nguyễn Thị Ngọc', 'Ада', 'สมชาย']

/** Files as the product's own writers make them, by their paths, and the product itself. */
export interface MadeFiles {
  folder: string
  workbook: string
  csv: string
  archive: string
  pdf: string
  /** Names in the PDF. */
  names: readonly string[]
  backup: { file: string; identity: string; content: string }
  /** The product that other programs call. */
  demo: Running
}

const columns: readonly ExportColumn<Row>[] = [
  { title: 'Name', width: 30, value: ({ name }) => name },
  { title: 'Date', kind: 'date', value: ({ date }) => date },
  ...hoursColumns<Row>('Hours', ({ minutes }) => minutes),
]

const keep = async (
  folder: string,
  { name, chunks }: Pick<FileAnswer, 'name' | 'chunks'>,
): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, chunks)
  return path
}

const makeBackup = async (folder: string): Promise<MadeFiles['backup']> => {
  const secret = await generateX25519Identity()
  const [file, identity] = [join(folder, 'backup.age'), join(folder, 'identity.txt')]
  writeFileSync(identity, `${secret}\n`)
  const content = 'A backup of some length. '.repeat(50_000)
  const { lock } = await readBackupOptions(['--recipient', await identityToRecipient(secret)])
  if (!lock) throw new Error('The recipient was not taken.')
  await writeFile(file, await lock.close(Readable.from([Buffer.from(content)])))
  return { file, identity, content }
}

/** Makes the files that the judges read, in a folder of their own. */
export const makeFiles = async (folder: string): Promise<MadeFiles> => {
  const rows = Array.from(
    { length: written.rows - 2 },
    (_, index): Row => ({
      name: index === 0 ? written.name : `Student ${index}`,
      date: written.date,
      minutes: 20,
    }),
  )
  const workbook = await keep(folder, tableFile('xlsx', 'table', columns, rows))
  const csv = await keep(folder, tableFile('csv', 'table', columns, rows))
  const pdf = await keep(
    folder,
    pdfFile('report', {
      title: 'Names',
      lines: ['Every script'],
      by: names[0]!,
      at: written.date,
      columns: [{ title: 'Name' }, { title: 'Hours', isFigure: true }],
      // On two pages, with a heading among the rows and cells that are empty.
      rows: ['People', ...names.map((name) => [name, '8.0']), ...Array.from({ length: 40 }, () => ['', '0'])],
      totals: ['Total', '56.0'],
    }),
  )
  const entries = async function* () {
    yield { name: 'Zoë 王.txt', bytes: Buffer.from('first') }
    yield { name: 'empty.txt', bytes: Buffer.alloc(0) }
    yield { name: 'large.bin', bytes: Buffer.alloc(3_000_000, 'x') }
  }
  const archive = await keep(folder, { name: 'archive.zip', chunks: zipFile(entries()) })
  const backup = await makeBackup(folder)
  return { folder, workbook, csv, archive, pdf, names, backup, demo: await startDemo() }
}
