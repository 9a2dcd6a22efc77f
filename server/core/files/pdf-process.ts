import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { PdfDocument, PdfPart, PdfTable, PdfWork } from './pdf.ts'

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

const tableOf = ({ columns, rows, totals }: PdfPart): object => {
  const cells = (row: readonly string[], isBold = false) =>
    row.map((text, at) => ({
      text,
      ...(isBold && { bold: true }),
      alignment: columns[at]!.isFigure ? 'right' : 'left',
    }))
  const heading = (text: string) => [
    { text, bold: true, colSpan: columns.length, margin: [0, 6, 0, 0] },
    ...columns.slice(1).map(() => ({})),
  ]
  return {
    margin: [0, 12, 0, 0],
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ isFigure, width }) => width ?? (isFigure ? 'auto' : '*')),
      body: [
        cells(
          columns.map(({ title }) => title),
          true,
        ),
        ...rows.map((row) => (typeof row === 'string' ? heading(row) : cells(row))),
        ...(totals ? [cells(totals, true)] : []),
      ],
    },
    layout: {
      hLineWidth: (at: number) => (at === 0 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: () => line,
      paddingTop: () => 4,
      paddingBottom: () => 4,
    },
  }
}

const title = (text: string, more: object = {}): object => ({
  text,
  fontSize: 16,
  bold: true,
  margin: [0, 0, 0, 2],
  ...more,
})
const small = (text: string): object => ({ text, color: muted, margin: [0, 1, 0, 0] })

const partOf = (part: PdfPart): object[] => [
  ...(part.heading ? [{ text: part.heading, fontSize: 12, bold: true, margin: [0, 18, 0, 0] }] : []),
  ...(part.lines ?? []).map(small),
  ...(part.rows.length > 0 ? [tableOf(part)] : []),
]

/** What is certified is on the first page, in a frame. */
const certified = (lines: readonly string[]): object[] =>
  lines.length === 0
    ? []
    : [
        {
          margin: [0, 16, 0, 0],
          table: {
            widths: ['*'],
            body: [[{ stack: lines.map((text, at) => ({ text, margin: [0, at === 0 ? 0 : 3, 0, 0] })) }]],
          },
          layout: {
            hLineColor: () => line,
            vLineColor: () => line,
            hLineWidth: () => 0.5,
            vLineWidth: () => 0.5,
            paddingLeft: () => 8,
            paddingRight: () => 8,
            paddingTop: () => 7,
            paddingBottom: () => 7,
          },
        },
      ]

const sealedContent = ({ title: text, lines, seal, parts, certifying }: PdfDocument): object[] => [
  {
    columns: [
      {
        width: '*',
        stack: [
          title(text),
          ...lines.map((each, at) => (at === 0 ? { text: each, fontSize: 12 } : small(each))),
        ],
      },
      {
        width: 150,
        stack: [
          { qr: seal.address, fit: 78, eccLevel: 'M', alignment: 'right' },
          ...seal.lines.map((each) => ({
            text: each,
            fontSize: 8,
            color: muted,
            alignment: 'right',
            margin: [0, 2, 0, 0],
          })),
        ],
      },
    ],
  },
  ...certified(certifying),
  ...parts.flatMap(partOf),
]

/** Every report begins on a page of its own. */
const reportContent = (tables: readonly PdfTable[]): object[] =>
  tables.flatMap((table, at) => [
    title(table.title, at > 0 ? { pageBreak: 'before' } : {}),
    ...table.lines.map(small),
    tableOf(table),
  ])

const documentOf = (work: PdfWork): object => {
  const sealed = 'parts' in work ? work : undefined
  // A report has at least one table.
  const { title, by, at } = 'parts' in work ? work : work[0]!
  return {
    info: { title, author: by, creator: 'Practicum', ...(sealed && { keywords: sealed.keywords }) },
    lang: 'en-US',
    pageSize: 'LETTER',
    pageOrientation: sealed ? 'portrait' : 'landscape',
    pageMargins: [36, 40, 36, 44],
    defaultStyle: { font: 'Roboto', fontSize: 9, color: '#1F1D1A' },
    content: 'parts' in work ? sealedContent(work) : reportContent(work),
    footer: (page: number, pages: number) => ({
      margin: [36, 14, 36, 0],
      fontSize: 8,
      color: muted,
      columns: [{ text: `${by} · ${at}` }, { text: `${page} / ${pages}`, alignment: 'right' }],
    }),
  }
}

process.once('disconnect', () => process.exit(1))
process.once('message', async (works: PdfWork[]) => {
  const files: Uint8Array[] = []
  for (const work of works) files.push(new Uint8Array(await maker.createPdf(documentOf(work)).getBuffer()))
  process.send?.(files, () => process.exit(0))
})
