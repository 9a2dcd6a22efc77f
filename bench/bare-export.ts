import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { crc32, createDeflateRaw } from 'node:zlib'
import type pg from 'pg'

/** One file of a zip that is written as it streams: its sizes follow it. */
const localHead = (name: string): Buffer => {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 6)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name)])
}

interface Part {
  name: string
  crc: number
  packed: number
  plain: number
  at: number
}

const sizes = ({ crc, packed, plain }: Part): Buffer => {
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(0x08074b50)
  tail.writeUInt32LE(crc, 4)
  tail.writeUInt32LE(packed, 8)
  tail.writeUInt32LE(plain, 12)
  return tail
}

const directory = (parts: readonly Part[], at: number): Buffer => {
  const entries = parts.map((part) => {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 8)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(part.crc, 16)
    entry.writeUInt32LE(part.packed, 20)
    entry.writeUInt32LE(part.plain, 24)
    entry.writeUInt16LE(part.name.length, 28)
    entry.writeUInt32LE(part.at, 42)
    return Buffer.concat([entry, Buffer.from(part.name)])
  })
  const all = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(all.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([all, end])
}

const sign: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const text = (value: unknown, style = 3): string =>
  value === null || value === undefined
    ? ''
    : ` t="inlineStr" s="${style}"><is><t xml:space="preserve">${String(value).replace(/[&<>]/g, (found) => sign[found]!)}</t></is></c>`
const day = (value: unknown): string =>
  ` s="2"><v>${Date.parse(`${value}T00:00:00Z`) / 86_400_000 + 25_569}</v></c>`
const number = (value: unknown): string => `><v>${value}</v></c>`

/** A column of the sheet. */
export interface BareColumn {
  title: string
  width: number
  isDate?: true
  isNumber?: true
}

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const small: [string, string][] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${namespace}" xmlns:r="${relations}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${namespace}"><numFmts count="1"><numFmt numFmtId="164" formatCode="mm/dd/yyyy"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ],
]

/** The hand-made streamer: rows by a cursor into one sheet as ours looks, packed by zlib; no limits, no characters that Excel cannot read. */
export const streamSheet = async (
  client: pg.PoolClient,
  statement: string,
  values: unknown[],
  columns: readonly BareColumn[],
  response: ServerResponse,
): Promise<void> => {
  const writers = columns.map(({ isDate, isNumber }) =>
    isDate ? day : isNumber ? number : (value: unknown) => text(value),
  )
  // A sheet made by hand has no more than 26 columns.
  const cellAt = (column: number, row: number, cell: string): string =>
    cell && `<c r="${String.fromCharCode(65 + column)}${row}"${cell}`
  let rowNumber = 1
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const head = `<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${columns.map(({ title }, index) => cellAt(index, 1, text(title, 1))).join('')}</row>`
  const parts: Part[] = []
  let at = 0
  const write = async (chunk: Buffer): Promise<void> => {
    at += chunk.length
    if (!response.write(chunk)) await once(response, 'drain')
  }
  const add = async (name: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> => {
    const part: Part = { name, crc: 0, packed: 0, plain: 0, at }
    await write(localHead(name))
    const packer = createDeflateRaw({ level: 3 })
    const written = (async () => {
      for await (const chunk of packer) {
        part.packed += (chunk as Buffer).length
        await write(chunk as Buffer)
      }
    })()
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece)
      part.crc = crc32(bytes, part.crc)
      part.plain += bytes.length
      if (!packer.write(bytes)) await once(packer, 'drain')
    }
    packer.end()
    await written
    await write(sizes(part))
    parts.push(part)
  }
  const rows = async function* (): AsyncGenerator<string> {
    yield head
    await client.query('begin')
    await client.query(`declare found no scroll cursor for ${statement}`, values)
    while (true) {
      const found = await client.query({ text: 'fetch 1000 from found', rowMode: 'array' })
      if (found.rows.length === 0) break
      yield found.rows
        .map((row: unknown[]) => {
          rowNumber++
          return `<row r="${rowNumber}">${row.map((cell, index) => cellAt(index, rowNumber, writers[index]!(cell))).join('')}</row>`
        })
        .join('')
    }
    await client.query('commit')
    yield '</sheetData></worksheet>'
  }
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  await add('xl/worksheets/sheet1.xml', rows())
  for (const [name, xml] of small) await add(name, [xml])
  const end = directory(parts, at)
  response.end(end)
}
