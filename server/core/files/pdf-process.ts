import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { PdfAnswer, PdfDocument, PdfPart, PdfTable, PdfWork } from './pdf.ts'
import { type FontFiles, filesOf, ownFont, runsOf, UndrawableText } from './pdf-text.ts'

interface Maker {
  setUrlAccessPolicy: (may: (url: string) => boolean) => void
  setLocalAccessPolicy: (may: (path: string) => boolean) => void
  addFonts: (fonts: Record<string, FontFiles>) => void
  createPdf: (document: object) => { getBuffer: () => Promise<Buffer> }
}

const require = createRequire(import.meta.url)
const maker = require('pdfmake') as Maker
const fonts = require('pdfmake/fonts/Roboto.js') as Record<typeof ownFont, FontFiles>
const fontFolders = new Set([dirname(fonts[ownFont].normal)])

// A document is made of its own text and the fonts beside it: nothing is fetched, no other file is read.
maker.setUrlAccessPolicy(() => false)
maker.setLocalAccessPolicy((path) => fontFolders.has(dirname(path)))
maker.addFonts(fonts)

interface Tagged {
  page: { height: number }
  struct: (type: string, children?: unknown[]) => { add: (child: unknown) => void; end: () => void }
  addStructure: (element: unknown) => void
  markStructureContent: (type: string) => unknown
  markContent: (type: string) => void
  endMarkedContent: () => void
}
interface Renderer {
  pdfDocument: Tagged & { root?: ReturnType<Tagged['struct']> }
}
interface DrawnLine {
  y: number
  inlines: { fontSize: number; bold?: boolean }[]
}

const bottomMargin = 44
/** What a line is to who has it read aloud; the foot of a page is nothing. */
const roleOf = ({ y, inlines: [first] }: DrawnLine, pageHeight: number): string | undefined => {
  if (!first || y > pageHeight - bottomMargin) return undefined
  return first.fontSize === 16 ? 'H1' : first.fontSize === 12 && first.bold ? 'H2' : 'P'
}

/** pdfmake lays out lines and has no tags, so each line is tagged as it is drawn, in the order of reading; all else is decoration. */
const tagLines = (): void => {
  const { prototype } = (require('pdfmake/js/Renderer.js') as { default: { prototype: object } }).default
  const methods = prototype as Record<string, (this: Renderer, ...given: unknown[]) => void>
  for (const name of ['renderLine', 'renderVector']) {
    // Both are there in the version that is pinned.
    const draw = methods[name]!
    methods[name] = function (...given) {
      const pdf = this.pdfDocument
      // A line is the first thing that is given to draw one.
      const role = name === 'renderLine' ? roleOf(given[0] as DrawnLine, pdf.page.height) : undefined
      if (!pdf.root) {
        pdf.root = pdf.struct('Document')
        pdf.addStructure(pdf.root)
      }
      const content = role === undefined ? pdf.markContent('Artifact') : pdf.markStructureContent(role)
      draw.apply(this, given)
      pdf.endMarkedContent()
      if (role !== undefined) pdf.root.add(pdf.struct(role, [content]))
    }
  }
}
tagLines()

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

/** A part of a document with every text in the fonts that have its letters; those are loaded with the first text that needs them. */
const inFonts = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(inFonts)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== 'text' || typeof value !== 'string') return [key, inFonts(value)]
      const runs = runsOf(value)
      if (typeof runs === 'string') return [key, runs]
      for (const { font } of runs)
        if (font !== ownFont) {
          const files = filesOf(font)
          fontFolders.add(dirname(files.normal))
          maker.addFonts({ [font]: files })
        }
      return [key, runs]
    }),
  )
}

const documentOf = (work: PdfWork): object => {
  const sealed = 'parts' in work ? work : undefined
  // A report has at least one table.
  const { title, by, at } = 'parts' in work ? work : work[0]!
  return {
    info: { title, author: by, creator: 'Practicum', ...(sealed && { keywords: sealed.keywords }) },
    language: 'en-US',
    displayTitle: true,
    tagged: true,
    version: '1.7',
    pageSize: 'LETTER',
    pageOrientation: sealed ? 'portrait' : 'landscape',
    pageMargins: [36, 40, 36, 44],
    defaultStyle: { font: ownFont, fontSize: 9, color: '#1F1D1A' },
    content: inFonts('parts' in work ? sealedContent(work) : reportContent(work)),
    footer: (page: number, pages: number) =>
      inFonts({
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
  const answer = (made: PdfAnswer) => process.send?.(made, () => process.exit(0))
  try {
    for (const work of works) files.push(new Uint8Array(await maker.createPdf(documentOf(work)).getBuffer()))
    answer({ files })
  } catch (error) {
    if (!(error instanceof UndrawableText)) throw error
    answer({ undrawable: error.text })
  }
})
