import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asText, fromText } from '#contract/core/spreadsheet-text.ts'
import { readForward } from '#server/test/forward-zip.ts'
import { type Cell, csvFile, csvLine, type TableColumn } from './csv.ts'
import { type ExportColumn, hoursColumns, tableFile } from './table.ts'
import { xlsxFile } from './xlsx.ts'

const stream = async function* (rows: readonly (readonly Cell[])[]) {
  yield* rows
}
const columns: TableColumn[] = [
  { title: 'Name' },
  { title: 'Date', kind: 'date' },
  { title: 'Hours', kind: 'number' },
]

const csvOf = async (rows: readonly (readonly Cell[])[]): Promise<string> => {
  let text = ''
  for await (const chunk of csvFile(columns, stream(rows))) text += chunk
  return text
}
const xlsxOf = async (rows: readonly (readonly Cell[])[]): Promise<Record<string, string>> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of xlsxFile('Assignments', columns, stream(rows))) chunks.push(chunk)
  const files = readForward(Buffer.concat(chunks))
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, bytes.toString()]))
}

describe('CSV', () => {
  test('cells that a spreadsheet would run as a formula are text', () => {
    expect(csvLine(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'plain', -1])).toBe(
      `'=1+1,'+1,'-1,'@SUM(A1),"'\tx","'\rx",plain,-1\r\n`,
    )
  })

  test.each([
    ['a cell', '=1+1', "'=1+1"],
    ['behind a semicolon, which separates cells in much of the world', ';=1', ";'=1"],
    ['behind several separators and spaces', ' ; ,\t=1', " ; ,\t'=1"],
    ['in the middle', 'a;=HYPERLINK("x");b', 'a;\'=HYPERLINK("x");b'],
    ['behind a tab in the middle', 'a\t@SUM(1)', "a\t'@SUM(1)"],
    ['behind quotes, which a split in the middle of a cell leaves open', 'x";"=1+1;', 'x";"\'=1+1;'],
    ['on a line of its own', 'a\r\n=1;', "a\r\n'=1;"],
    ['with wide signs', '＝1', "'＝1"],
    ['a list stays as it is', 'Bring:\n- shoes\n- badge', 'Bring:\n- shoes\n- badge'],
    ['names stay as they are', 'Ruiz-Peña, Ana; 5 - 7', 'Ruiz-Peña, Ana; 5 - 7'],
  ])('a formula is text wherever a spreadsheet splits the file: %s', (_, given, written) => {
    expect(asText(given)).toBe(written)
    expect(fromText(written)).toBe(given)
  })

  test('no cell begins a formula, whether split at commas, semicolons or tabs', async () => {
    const piece = fc.constantFrom(';', '\t', ',', ' ', '=', '+', '@', '-1', '"', '\n', '\r', 'a', "'")
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const line = csvLine([pieces.join('')])
        for (const separator of [';', '\t'])
          for (const cell of line.split(new RegExp(`[\r\n${separator}]`)).slice(1))
            expect(cell.replace(/^[\s"]*/, '')).not.toMatch(/^[=+@]/)
        expect((parse(line, { relax_column_count: true }) as string[][])[0]?.[0] ?? '').not.toMatch(
          /^[\s;,"]*[=+@-]/,
        )
      }),
    )
  })

  test('dates are written as mm/dd/yyyy under the header', async () => {
    expect(await csvOf([['Okafor, Amara', '2026-12-03', 8.5]])).toBe(
      '\uFEFFName,Date,Hours\r\n"Okafor, Amara",12/03/2026,8.5\r\n',
    )
  })

  test('any text comes back as it was, but for the apostrophes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const rows = parse(await csvOf([[text, null, 1]]), { bom: true }) as string[][]
        expect(rows[1]![0]).toBe(asText(text))
      }),
    )
  })
})

describe('XLSX', () => {
  test('text is a string and never a formula', async () => {
    const files = await xlsxOf([['=HYPERLINK("http://x")', '2026-12-03', 8.5]])
    const sheet = files['xl/worksheets/sheet1.xml']!
    expect(sheet).toContain('<c r="A2" t="s" s="3"><v>0</v></c>')
    expect(files['xl/sharedStrings.xml']).toContain(
      '<si><t xml:space="preserve">=HYPERLINK(&quot;http://x&quot;)</t></si>',
    )
    expect(sheet).not.toContain('<f>')
    // 2026-12-03 is day 46359 of the 1900 calendar.
    expect(sheet).toContain('<c r="B2" s="2"><v>46359</v></c>')
    expect(sheet).toContain('<c r="C2"><v>8.5</v></c>')
    expect(Object.keys(files).toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/sharedStrings.xml',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
  })

  test('signs that XML cannot hold are left out, and escapes of Excel are not run', async () => {
    const files = await xlsxOf([['a\u0000b\u000Bc_x0041_\uD800<&>', null, null]])
    expect(files['xl/sharedStrings.xml']).toContain('>abc_x005F_x0041_\uFFFD&lt;&amp;&gt;</t>')
  })

  test('a text of many rows is written once; more texts than a workbook keeps, and long ones, are in their cells', async () => {
    const long = 'x'.repeat(101)
    const rows = Array.from({ length: 20_010 }, (_, index) => [`Text ${Math.max(0, index - 5)}`, null, null])
    const files = await xlsxOf([
      ['Day', '2026-12-03', 1],
      ['Day', '2026-12-03', 2],
      [long, 'some day', 3],
      ...rows,
    ])
    const sheet = files['xl/worksheets/sheet1.xml']!
    expect(sheet.split(' t="s" s="3"><v>0</v></c>')).toHaveLength(3)
    expect(sheet.split(' s="2"><v>46359</v></c>')).toHaveLength(3)
    expect(sheet.split(' t="s" s="3"><v>1</v></c>')).toHaveLength(2)
    expect(sheet.split(' t="s" s="3"><v>2</v></c>')).toHaveLength(7)
    expect(sheet).toContain(`>${long}</t></is></c>`)
    expect(sheet).toContain(' t="inlineStr" s="3"><is><t xml:space="preserve">Text 20004</t></is></c>')
    expect(files['xl/sharedStrings.xml']!.match(/<si>/g)).toHaveLength(20_000)
  })

  test('twelve hundred rows come in several chunks and all arrive', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => [`Row ${index}`, null, index])
    const sheet = (await xlsxOf(rows))['xl/worksheets/sheet1.xml']!
    expect([...sheet.matchAll(/<row r="(\d+)">/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 1_201 }, (_, index) => index + 1),
    )
    expect(sheet.endsWith('</sheetData></worksheet>')).toBe(true)
  })
})

describe('hours', () => {
  interface Row {
    kind: string
    minutes: number | null
  }
  const hours: ExportColumn<Row>[] = [
    { title: 'Kind', value: ({ kind }) => kind },
    ...hoursColumns<Row>('Hours', ({ minutes }) => minutes),
  ]
  const three = [20, 20, 20].map((minutes) => ({ kind: 'Clocked', minutes }))
  const fileOf = async (format: 'csv' | 'xlsx', groupOf?: (row: Row) => string): Promise<Buffer> => {
    const rows = [...three, { kind: 'Absence', minutes: null }]
    const chunks: Buffer[] = []
    for await (const chunk of tableFile(format, 'Hours', hours, rows, groupOf).chunks)
      chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  }

  test('three times twenty minutes are an hour, added up by the reader or by the file', async () => {
    const rows = parse(await fileOf('csv'), { bom: true }) as string[][]
    expect(rows[0]).toEqual(['Kind', 'Hours', 'Hours (minutes)'])
    expect(rows.slice(1, 4).reduce((sum, row) => sum + Number(row[1]), 0)).toBe(1)
    expect(rows.slice(4)).toEqual([
      ['Absence', '', ''],
      ['Total', '1', '60'],
    ])
    const sheet = readForward(await fileOf('xlsx'))['xl/worksheets/sheet1.xml']!.toString()
    expect(sheet).toContain(`<c r="B2" s="4"><v>${1 / 3}</v></c><c r="C2"><v>20</v></c>`)
    expect(sheet).toContain('<c r="B6" s="4"><v>1</v></c><c r="C6"><v>60</v></c>')
  })

  test('kinds that do not add up have a sum each', async () => {
    const rows = parse(await fileOf('csv', ({ kind }) => `Total: ${kind}`), { bom: true }) as string[][]
    expect(rows.slice(5)).toEqual([
      ['Total: Clocked', '1', '60'],
      ['Total: Absence', '', ''],
    ])
  })
})
