import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { PdfTable } from './pdf.ts'

interface Maker {
  setUrlAccessPolicy: (may: (url: string) => boolean) => void
  setLocalAccessPolicy: (may: (path: string) => boolean) => void
  setFonts: (fonts: Record<string, Record<string, string>>) => void
  createPdf: (document: object) => { getBuffer: () => Promise<Buffer> }
}

const require = createRequire(import.meta.url)
const maker = require('pdfmake') as Maker
const fonts = require('pdfmake/fonts/Roboto.js') as Record<string, Record<string, string>>
// pdfmake comes with Roboto.
const fontFolder = dirname(Object.values(fonts.Roboto!)[0]!)

// A document is made of its own text and the fonts beside it: nothing is fetched, no other file is read.
maker.setUrlAccessPolicy(() => false)
maker.setLocalAccessPolicy((path) => dirname(path) === fontFolder)
maker.setFonts(fonts)

const line = '#D3CCC2'
const muted = '#5E5850'

const alignmentOf = (table: PdfTable, at: number) => (table.columns[at]!.isFigure ? 'right' : 'left')

const rowOf = (table: PdfTable, row: readonly string[] | string): object[] =>
  typeof row === 'string'
    ? [
        { text: row, bold: true, colSpan: table.columns.length, margin: [0, 6, 0, 0] },
        ...table.columns.slice(1).map(() => ({})),
      ]
    : row.map((text, at) => ({ text, alignment: alignmentOf(table, at) }))

const contentOf = (table: PdfTable, index: number): object[] => [
  {
    text: table.title,
    fontSize: 16,
    bold: true,
    margin: [0, 0, 0, 2],
    ...(index > 0 && { pageBreak: 'before' }),
  },
  ...table.lines.map((text) => ({ text, color: muted, margin: [0, 1, 0, 0] })),
  {
    margin: [0, 12, 0, 0],
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: table.columns.map(({ isFigure }) => (isFigure ? 'auto' : '*')),
      body: [
        table.columns.map(({ title }, at) => ({
          text: title,
          bold: true,
          alignment: alignmentOf(table, at),
        })),
        ...table.rows.map((row) => rowOf(table, row)),
        ...(table.totals
          ? [table.totals.map((text, at) => ({ text, bold: true, alignment: alignmentOf(table, at) }))]
          : []),
      ],
    },
    layout: {
      hLineWidth: (at: number) => (at === 0 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: () => line,
      paddingTop: () => 4,
      paddingBottom: () => 4,
    },
  },
]

const documentOf = (tables: readonly PdfTable[]): object => {
  // There is always one.
  const { title, by, at } = tables[0]!
  return {
    info: { title, author: by, creator: 'Practicum' },
    lang: 'en-US',
    pageSize: 'LETTER',
    pageOrientation: 'landscape',
    pageMargins: [36, 40, 36, 44],
    defaultStyle: { font: 'Roboto', fontSize: 9, color: '#1F1D1A' },
    content: tables.flatMap(contentOf),
    footer: (page: number, pages: number) => ({
      margin: [36, 14, 36, 0],
      fontSize: 8,
      color: muted,
      columns: [{ text: `${by} · ${at}` }, { text: `${page} / ${pages}`, alignment: 'right' }],
    }),
  }
}

process.once('disconnect', () => process.exit(1))
process.once('message', async (tables: PdfTable[]) => {
  const bytes = await maker.createPdf(documentOf(tables)).getBuffer()
  process.send?.(new Uint8Array(bytes), () => process.exit(0))
})
