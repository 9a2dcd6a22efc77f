import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { type Cell, csvFile, csvLine, type TableColumn } from './csv.ts'
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
  const files = unzipSync(Buffer.concat(chunks))
  return Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
  )
}

describe('CSV', () => {
  test('cells that a spreadsheet would run as a formula are text', () => {
    expect(csvLine(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'plain', -1])).toBe(
      `'=1+1,'+1,'-1,'@SUM(A1),'\tx,"'\rx",plain,-1\r\n`,
    )
  })

  test('dates are written as mm/dd/yyyy under the header', async () => {
    expect(await csvOf([['Okafor, Amara', '2026-12-03', 8.5]])).toBe(
      'Name,Date,Hours\r\n"Okafor, Amara",12/03/2026,8.5\r\n',
    )
  })

  test('any text comes back as it was, but for the apostrophe', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const rows = parse(await csvOf([[`x${text}`, null, 1]])) as string[][]
        expect(rows[1]![0]).toBe(`x${text}`)
      }),
    )
  })
})

describe('XLSX', () => {
  test('text is a string and never a formula', async () => {
    const files = await xlsxOf([['=HYPERLINK("http://x")', '2026-12-03', 8.5]])
    const sheet = files['xl/worksheets/sheet1.xml']!
    expect(sheet).toContain('<c t="s" s="3"><v>0</v></c>')
    expect(files['xl/sharedStrings.xml']).toContain(
      '<si><t xml:space="preserve">=HYPERLINK(&quot;http://x&quot;)</t></si>',
    )
    expect(sheet).not.toContain('<f>')
    // 2026-12-03 is day 46359 of the 1900 calendar.
    expect(sheet).toContain('<c s="2"><v>46359</v></c>')
    expect(sheet).toContain('<c><v>8.5</v></c>')
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
    expect(sheet.split('<c t="s" s="3"><v>0</v></c>')).toHaveLength(3)
    expect(sheet.split('<c s="2"><v>46359</v></c>')).toHaveLength(3)
    expect(sheet.split('<c t="s" s="3"><v>1</v></c>')).toHaveLength(2)
    expect(sheet.split('<c t="s" s="3"><v>2</v></c>')).toHaveLength(7)
    expect(sheet).toContain(`>${long}</t></is></c>`)
    expect(sheet).toContain('<c t="inlineStr" s="3"><is><t xml:space="preserve">Text 20004</t></is></c>')
    expect(files['xl/sharedStrings.xml']!.match(/<si>/g)).toHaveLength(20_000)
  })

  test('twelve hundred rows come in several chunks and all arrive', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => [`Row ${index}`, null, index])
    const sheet = (await xlsxOf(rows))['xl/worksheets/sheet1.xml']!
    expect(sheet.match(/<row>/g)).toHaveLength(1_201)
    expect(sheet.endsWith('</sheetData></worksheet>')).toBe(true)
  })
})
