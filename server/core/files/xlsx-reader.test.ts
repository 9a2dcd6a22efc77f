import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { lyingAboutSize, ownWorkbook, rawWorkbook } from '#server/test/workbook.ts'
import { isWorkbook, readWorkbook, type Sheet } from './xlsx-reader.ts'
import { columnAt, columnName, numberForm, numberText } from './xlsx-values.ts'

const read = (bytes: Buffer, wanted?: string): Promise<Sheet> =>
  readWorkbook(bytes, {
    fits: (header) => wanted === undefined || header.includes(wanted),
    isPassedOver: (header) => header[0] === 'Notes',
    rowLimit: 1_000,
  })
const refusal = async (bytes: Buffer): Promise<string> =>
  read(bytes).then(
    () => 'it was read',
    (error: Error) => error.message,
  )
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`

describe('what cells show', () => {
  test('texts, numbers, days, yes and no, formulas and errors', async () => {
    const sheet = await read(
      rawWorkbook(
        [
          {
            name: 'Rows',
            rows: [
              '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>',
              '<row r="5" spans="1:9"><c r="A5"><v>1001</v></c><c r="B5"><v>41.636200000000002</v></c><c r="C5" s="1"><v>46399</v></c><c r="D5" s="2"><v>46399.3125</v></c><c r="E5" s="3"><v>2740</v></c><c r="F5" t="b"><v>1</v></c><c r="G5" t="str"><f>A1&amp;B1</f><v>S1 &amp; S2</v></c><c r="H5" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="I5"><f>2+2</f><v>4</v></c></row>',
              '<row r="6"><c r="A6" s="1"/></row>',
              '<row r="7"><c r="A7" t="inlineStr"><is><r><t>0</t></r><r><t xml:space="preserve">07_x000D_</t></r><rPh><t>read</t></rPh></is></c></row>',
            ].join(''),
          },
        ],
        {
          strings: ['<t>First</t>', '<r><t>Th</t></r><r><t>ird</t></r>'],
          styles:
            '<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="[$-409]m/d/yy\\ h:mm\\ AM/PM;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="164"/></cellXfs>',
        },
      ),
    )
    expect(sheet.rows).toEqual([
      { number: 2, cells: ['First', '', 'Third'] },
      {
        number: 5,
        cells: [
          '1001',
          '41.6362',
          '01/12/2027',
          '2027-01-12 07:30',
          '02740',
          'TRUE',
          'S1 & S2',
          '#DIV/0!',
          '4',
        ],
      },
      { number: 7, cells: ['007\r'] },
    ])
  })

  test('any text that the product writes comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.date({ min: new Date('1900-03-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
        async (cell, date) => {
          const day = date.toISOString().slice(0, 10)
          const bytes = await ownWorkbook(['A', { title: 'Day', kind: 'date' }], [[`x${cell}`, day]])
          const { rows } = await read(bytes)
          const [year, month, dayOfMonth] = day.split('-')
          const kept = [...`x${cell}`.toWellFormed()]
            .filter((sign) => sign >= ' ' || '\t\n\r'.includes(sign))
            .filter((sign) => !'\uFFFE\uFFFF'.includes(sign))
            .join('')
          expect(rows[1]).toEqual({ number: 2, cells: [kept, `${month}/${dayOfMonth}/${year}`] })
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a format is a day, an hour or a number by what it shows', () => {
    for (const code of ['yyyy\\-mm\\-dd', 'mm/dd/yyyy;@', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'mmm'])
      expect(numberForm(164, code), code).toBe('date')
    for (const code of ['h:mm AM/PM', '[h]:mm', 'mm:ss']) expect(numberForm(164, code), code).toBe('time')
    for (const code of ['0.00', '#,##0', '"day "0', '[Red]0', '\\d0', 'General'])
      expect(numberForm(164, code), code).toBe('number')
    expect(numberForm(14, undefined)).toBe('date')
    expect(numberForm(0, undefined)).toBe('number')
  })

  test('days are counted as Excel counts them, from 1900 and from 1904', () => {
    expect(numberText('1', 'date', false)).toBe('01/01/1900')
    expect(numberText('61', 'date', false)).toBe('03/01/1900')
    expect(numberText('46399', 'date', false)).toBe('01/12/2027')
    expect(numberText('44937', 'date', true)).toBe('01/12/2027')
    expect(numberText('46398.9999999', 'date', false)).toBe('01/12/2027')
    expect(numberText('0.3125', 'time', false)).toBe('07:30')
    expect(numberText('99999999999', 'date', false)).toBe('99999999999')
    expect(numberText('5085550142', 'number', false)).toBe('5085550142')
    expect(numberText('7.0', 'number', false)).toBe('7')
  })

  test('columns are counted by their letters', () => {
    fc.assert(fc.property(fc.nat(16_383), (index) => columnAt(`${columnName(index)}1`) === index))
    expect(columnAt('A')).toBeUndefined()
  })
})

describe('which sheet, which rows', () => {
  const rows = (header: string) => `<row>${text(header)}</row><row>${text('1')}</row>`

  test('the sheet whose header fits is read, else the first with anything in it; notes and hidden sheets never', async () => {
    const sheets = [
      { name: 'Secret', rows: rows('Email'), state: 'veryHidden' as const },
      { name: 'Notes', rows: rows('Notes') },
      { name: 'Blank', rows: '' },
      { name: 'Other', rows: rows('Other') },
      { name: 'Roster', rows: rows('Email') },
    ]
    expect((await read(rawWorkbook(sheets), 'Email')).name).toBe('Roster')
    expect((await read(rawWorkbook(sheets), 'Phone')).name).toBe('Other')
    expect(await refusal(rawWorkbook(sheets.slice(0, 3)))).toMatch(/^The workbook is empty\. Fill a sheet/)
  })

  test('hidden rows are left out and counted, empty ones left out; numbers are the sheet’s', async () => {
    const { rows, hiddenRows, rowCount } = await read(
      rawWorkbook([
        {
          name: 'Rows',
          rows: `<row r="1">${text('A')}</row><row r="2" hidden="1">${text('b')}</row><row r="3" hidden="1"/><row r="4">${text(' ')}</row><row r="9">${text('c')}</row>`,
        },
      ]),
    )
    expect(rows).toEqual([
      { number: 1, cells: ['A'] },
      { number: 9, cells: ['c'] },
    ])
    expect({ hiddenRows, rowCount }).toEqual({ hiddenRows: 1, rowCount: 2 })
  })

  test('no more rows are kept than asked for, and all are counted', async () => {
    const sheet = await read(rawWorkbook([{ name: 'Rows', rows: `<row>${text('a')}</row>`.repeat(1_500) }]))
    expect(sheet.rows).toHaveLength(1_000)
    expect(sheet.rowCount).toBe(1_500)
  })

  test('names with a prefix, as some programs write them, are understood', async () => {
    const { rows } = await read(
      rawWorkbook([{ name: 'Rows', rows: '<x:row r="1"><x:c r="A1" t="str"><x:v>A</x:v></x:c></x:row>' }], {
        prefix: 'x:',
      }),
    )
    expect(rows).toEqual([{ number: 1, cells: ['A'] }])
  })
})

describe('what is no workbook is refused in a sentence', () => {
  const compound = (name: string) =>
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(600),
      Buffer.from(name, 'utf16le'),
      Buffer.alloc(600),
    ])
  const zip = (parts: Record<string, string>) =>
    Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]))))

  test('old, binary, foreign, with a password, another archive, cut off', async () => {
    expect(await refusal(compound('Workbook'))).toMatch(/old Excel workbook \(\.xls\)\. Save it/)
    expect(await refusal(compound('EncryptedPackage'))).toMatch(/has a password\. Remove it/)
    expect(await refusal(zip({ 'xl/workbook.bin': '' }))).toMatch(/binary Excel workbook/)
    expect(await refusal(zip({ mimetype: '', 'content.xml': '' }))).toMatch(/not saved by Excel/)
    expect(await refusal(zip({ 'word/document.xml': '<a/>' }))).toMatch(/an archive, not a workbook/)
    const whole = rawWorkbook([{ name: 'Rows', rows: `<row>${text('A')}</row>` }])
    for (const length of [4, 40, Math.floor(whole.length / 2), whole.length - 10])
      expect(await refusal(whole.subarray(0, length)), String(length)).toMatch(/damaged or incomplete/)
    const locked = Buffer.from(whole)
    for (let at = locked.indexOf('PK\u0001\u0002', 0, 'latin1'); at >= 0; ) {
      locked.writeUInt16LE(1, at + 8)
      at = locked.indexOf('PK\u0001\u0002', at + 4, 'latin1')
    }
    expect(await refusal(locked)).toMatch(/has a password/)
    for (const bytes of [whole, compound('')]) expect(isWorkbook(bytes)).toBe(true)
    expect(isWorkbook(Buffer.from('Name\n'))).toBe(false)
  })

  test('whatever byte is changed, it is read or refused in a sentence', async () => {
    const whole = await ownWorkbook(['A', 'B'], [['one', 'two']])
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(whole)
        changed[at] = byte
        expect(await refusal(changed)).toMatch(/^[A-Zit].+[.d]$/)
      }),
      { numRuns: 300 },
    )
  })
})

describe('what unfolds to too much', () => {
  const before = () => process.memoryUsage().rss
  const grown = (from: number) => process.memoryUsage().rss - from
  const sheetOf = (rows: string) => rawWorkbook([{ name: 'Rows', rows }])

  test('gigabytes in a sheet, said or unsaid, are refused before they are there', async () => {
    const packed = deflateRawSync(Buffer.alloc(400_000_000, ' '), { level: 1 })
    const start = before()
    const said = zipOfPacked('xl/worksheets/sheet1.xml', packed, 400_000_000)
    expect(await refusal(said)).toMatch(/too large to read\. Save the sheet as CSV/)
    const unsaid = zipOfPacked('xl/worksheets/sheet1.xml', packed, 5_000)
    expect(await refusal(unsaid)).toMatch(/damaged/)
    expect(grown(start)).toBeLessThan(300_000_000)
    expect(await refusal(lyingAboutSize(sheetOf(`<row>${text('A')}</row>`.repeat(5_000)), 100))).toMatch(
      /damaged/,
    )
  })

  test('one string in very many cells, elements within elements, a tag without end, too many columns', async () => {
    const long = 'x'.repeat(30_000)
    const amplified = rawWorkbook(
      [{ name: 'Rows', rows: '<row><c t="s"><v>0</v></c></row>'.repeat(2_000) }],
      { strings: [`<t>${long}</t>`] },
    )
    expect(await refusal(amplified)).toMatch(/too large to read/)
    expect(await refusal(sheetOf('<a>'.repeat(3_000_000)))).toMatch(/damaged/)
    expect(await refusal(sheetOf(`<row r="${'1'.repeat(9_000_000)}"`))).toMatch(/damaged/)
    expect(await refusal(sheetOf('<row r="1"><c r="XFD1" t="str"><v>x</v></c></row>'))).toMatch(
      /more than 500 columns/,
    )
    expect(await refusal(sheetOf('<row r="2"/><row r="1"/>'))).toMatch(/damaged/)
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    const { rows } = await read(sheetOf(`${entities}<row>${text('&b;')}</row>`))
    expect(rows[0]!.cells).toEqual(['&b;'])
  })

  test('other work goes on while a large workbook is read', async () => {
    const bytes = sheetOf(
      Array.from({ length: 10_000 }, (_, at) => `<row>${text(`row ${at}`).repeat(13)}</row>`).join(''),
    )
    let turns = 0
    const beat = setInterval(() => turns++, 1)
    const { rowCount } = await read(bytes)
    clearInterval(beat)
    expect(rowCount).toBe(10_000)
    // Counted, not timed: a machine with other work is slow, and takes its turns all the same.
    expect(turns).toBeGreaterThan(20)
  })
})

/** The parts of a workbook around a sheet that is packed already, with the size that its entry tells. */
const zipOfPacked = (path: string, packed: Buffer, told: number): Buffer => {
  const marker = 'P'.repeat(16)
  const zip = rawWorkbook([{ name: 'Rows', rows: marker }])
  const start = zip.indexOf(path, 0, 'latin1') - 30
  const central = zip.lastIndexOf(path) - 46
  const length = zip.readUInt32LE(central + 20)
  const body = start + 30 + path.length
  const head = Buffer.from(zip.subarray(0, body))
  const tail = Buffer.from(zip.subarray(body + length))
  const shift = packed.length - length
  const at = central - body - length
  tail.writeUInt32LE(packed.length, at + 20)
  tail.writeUInt32LE(told, at + 24)
  for (let next = tail.indexOf('PK\u0001\u0002', 0, 'latin1'); next >= 0; ) {
    const offset = tail.readUInt32LE(next + 42)
    if (offset > start) tail.writeUInt32LE(offset + shift, next + 42)
    next = tail.indexOf('PK\u0001\u0002', next + 4, 'latin1')
  }
  const end = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  tail.writeUInt32LE(tail.readUInt32LE(end + 16) + shift, end + 16)
  return Buffer.concat([head, packed, tail])
}
