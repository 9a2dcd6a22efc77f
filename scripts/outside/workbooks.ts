import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { installApart } from '../lib/install.mjs'
import { difference, type Judge, Missing, run, versionOf } from './judge.ts'
import { written } from './made-files.ts'

const packages = { xlsx: '0.18.5', exceljs: '4.4.0' }

const load = async <Module>(name: keyof typeof packages): Promise<Module> => {
  const all = Object.entries(packages).map(([each, version]) => `${each}@${version}`)
  const folder = await installApart(`outside-${Object.values(packages).join('-')}`, all)
  return createRequire(join(folder, 'package.json'))(name) as Module
}

/** What every reader of the table has to find, as text and with the hours to six decimals. */
const wanted = [written.rows, written.name, written.date, written.hours.toFixed(6), written.total.toFixed(6)]
const found = (rows: number, name: unknown, date: unknown, hours: unknown, total: unknown): string =>
  difference([rows, name, date, Number(hours).toFixed(6), Number(total).toFixed(6)], wanted)

interface SheetJs {
  read: (bytes: Buffer, options: object) => { SheetNames: string[]; Sheets: Record<string, unknown> }
  utils: { sheet_to_json: (sheet: unknown, options: object) => unknown[][] }
}
const sheetJs: Judge = async ({ workbook }) => {
  const { read, utils } = await load<SheetJs>('xlsx')
  // Days are told in UTC here; SheetJS counts them from midnight of the machine's own zone otherwise.
  const { SheetNames, Sheets } = read(readFileSync(workbook), { dense: true })
  const rows = utils.sheet_to_json(Sheets[SheetNames[0]!], { header: 1, raw: true })
  const day = new Date((Number(rows[1]?.[1]) - 25_569) * 86_400_000).toISOString().slice(0, 10)
  return {
    judge: 'SheetJS',
    version: packages.xlsx,
    what: 'Workbook',
    problem: found(rows.length, rows[1]?.[0], day, rows[1]?.[2], rows.at(-1)?.[2]),
  }
}

interface ExcelJs {
  stream: {
    xlsx: {
      WorkbookReader: new (
        path: string,
        options: object,
      ) => AsyncIterable<AsyncIterable<{ number: number; values: unknown[] }>>
    }
  }
}
const excelJs: Judge = async ({ workbook }) => {
  const { stream } = await load<ExcelJs>('exceljs')
  const rows: unknown[][] = []
  for await (const sheet of new stream.xlsx.WorkbookReader(workbook, {
    sharedStrings: 'cache',
    styles: 'cache',
    worksheets: 'emit',
  }))
    for await (const { number, values } of sheet) rows[number - 1] = values
  const [, second] = rows
  return {
    judge: 'exceljs, its streaming reader',
    version: packages.exceljs,
    what: 'Workbook',
    problem: found(
      rows.length,
      second?.[1],
      (second?.[2] as Date)?.toISOString?.().slice(0, 10),
      second?.[3],
      rows.at(-1)?.[3],
    ),
  }
}

const openpyxl: Judge = async ({ workbook }) => {
  const program = `import json, openpyxl, sys
rows = list(openpyxl.load_workbook(sys.argv[1], read_only=True).active.values)
print(json.dumps([openpyxl.__version__, len(rows), rows[1][0], str(rows[1][1])[:10], rows[1][2], rows[-1][2]]))`
  const { text, problem } = await run('/usr/bin/python3', ['-c', program, workbook])
  if (problem.includes('No module'))
    throw new Missing('openpyxl is missing: install python3-openpyxl (Debian)')
  const [version, ...read] = JSON.parse(text || '["unknown"]') as [string, number, ...unknown[]]
  return {
    judge: 'openpyxl, read only',
    version,
    what: 'Workbook',
    problem: problem || found(read[0], read[1], read[2], read[3], read[4]),
  }
}

const libreOffice: Judge = async ({ workbook, folder }) => {
  const version = await versionOf('soffice')
  const profile = `-env:UserInstallation=file://${join(folder, 'office')}`
  const out = join(folder, 'calc')
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false'
  const { problem } = await run('soffice', [
    ...[profile, '--headless', '--convert-to', filter, '--outdir', out, workbook],
  ])
  if (problem) return { judge: 'LibreOffice', version, what: 'Workbook', problem }
  const rows = parse(readFileSync(join(out, 'table.csv')), { bom: true }) as string[][]
  const [month, day, year] = rows[1]![1]!.split('/')
  return {
    judge: 'LibreOffice',
    version,
    what: 'Workbook',
    problem: found(
      rows.length,
      rows[1]![0],
      `${year}-${month}-${day}`,
      // It tells hours as they are shown, with two decimals; the minutes beside are whole.
      Number(rows[1]![3]) / 60,
      Number(rows.at(-1)![3]) / 60,
    ),
  }
}

const java: Judge = async ({ workbook, archive }) => {
  const version = await versionOf('java')
  const { text, problem } = await run('java', [join(import.meta.dirname, 'Zip.java'), workbook, archive])
  const lines = text.trim().split('\n')
  return {
    judge: 'java.util.zip.ZipInputStream',
    version,
    what: 'Workbook and archive',
    problem: problem || difference(lines.slice(-3), ['Zoë 王.txt 5', 'empty.txt 0', 'large.bin 3000000']),
  }
}

const python: Judge = async ({ archive }) => {
  const program = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip(), sys.version.split()[0])'
  const { text, problem } = await run('/usr/bin/python3', ['-c', program, archive])
  const [bad, version = 'unknown'] = text.trim().split(' ')
  return { judge: 'Python zipfile', version, what: 'Archive', problem: problem || difference(bad, 'None') }
}

/** The readers of workbooks and archives. */
export const workbookJudges: readonly Judge[] = [sheetJs, excelJs, openpyxl, libreOffice, java, python]
