import '../runtime/output.ts'

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

interface Struct {
  add: (child: unknown) => void
  end: () => void
  dictionary: { data: Record<string, unknown> }
}
interface Tagged {
  page: { height: number }
  struct: (type: string, options?: object | unknown[]) => Struct
  addStructure: (element: unknown) => void
  markStructureContent: (type: string) => unknown
  markContent: (type: string) => void
  endMarkedContent: () => void
}
interface Renderer {
  pdfDocument: Tagged & { root?: Struct }
}
interface DrawnLine {
  y: number
  inlines: { fontSize: number; bold?: boolean; cell?: CellTag }[]
}

/** What a cell is to who has the table read aloud; a heading names what is below it. */
interface CellTag {
  row: RowTag
  type: 'TH' | 'TD'
  span: number
  struct?: Struct
}
interface RowTag {
  table: { struct?: Struct }
  cells: CellTag[]
  /** Where it was drawn first: on later pages the headings of a table are a repetition. */
  page?: unknown
}

const bottomMargin = 44
/** What a line is to who has it read aloud; the foot of a page is nothing. */
const roleOf = ({ y, inlines: [first] }: DrawnLine, pageHeight: number): string | undefined => {
  if (!first || y > pageHeight - bottomMargin) return undefined
  return first.fontSize === 16 ? 'H1' : first.fontSize === 12 && first.bold ? 'H2' : 'P'
}

/** The place of a cell in the structure; its row comes with all its cells, also those that stay empty. */
const placeOf = (pdf: Tagged, root: Struct, { row }: CellTag): void => {
  if (row.page) return
  row.page = pdf.page
  if (!row.table.struct) {
    row.table.struct = pdf.struct('Table')
    root.add(row.table.struct)
  }
  const place = pdf.struct('TR')
  row.table.struct.add(place)
  for (const cell of row.cells) {
    cell.struct = pdf.struct(cell.type, cell.type === 'TH' ? { scope: 'Column' } : {})
    const { data } = cell.struct.dictionary
    if (cell.span > 1) data.A = { ...(data.A as object), ColSpan: cell.span }
    place.add(cell.struct)
  }
}

/** Draws a line with its tag. */
const drawTagged = (pdf: Tagged, root: Struct, drawn: DrawnLine, draw: () => void): void => {
  const cell = drawn.inlines[0]?.cell
  if (cell) placeOf(pdf, root, cell)
  const isRepeated = cell?.type === 'TH' && cell.row.page !== pdf.page
  const role = isRepeated ? undefined : (cell?.type ?? roleOf(drawn, pdf.page.height))
  const content = role === undefined ? pdf.markContent('Artifact') : pdf.markStructureContent(role)
  draw()
  pdf.endMarkedContent()
  if (role === undefined) return
  // A row has its cells as soon as it has its place.
  if (cell) cell.struct!.add(content)
  else root.add(pdf.struct(role, [content]))
}

/** pdfmake lays out lines and has no tags, so each line is tagged as it is drawn, in the order of reading; all else is decoration. */
const tagLines = (): void => {
  const methodsOf = (path: string) =>
    (require(path) as { default: { prototype: object } }).default.prototype as Record<
      string,
      (this: Renderer, ...given: unknown[]) => unknown
    >
  const measuring = methodsOf('pdfmake/js/DocMeasure.js')
  // A cell's lines are made of its words: each says whose it is. The methods are there in the version that is pinned.
  const measure = measuring.measureLeaf!
  measuring.measureLeaf = function (...given) {
    const leaf = measure.apply(this, given) as { cell?: CellTag; _inlines: { cell?: CellTag }[] }
    if (leaf.cell) for (const word of leaf._inlines) word.cell = leaf.cell
    return leaf
  }
  const drawing = methodsOf('pdfmake/js/Renderer.js')
  for (const name of ['renderLine', 'renderVector']) {
    const draw = drawing[name]!
    drawing[name] = function (...given) {
      const pdf = this.pdfDocument
      if (!pdf.root) {
        pdf.root = pdf.struct('Document')
        pdf.addStructure(pdf.root)
      }
      // A line is the first thing that is given to draw one; all else has no words.
      const drawn = name === 'renderLine' ? (given[0] as DrawnLine) : { y: 0, inlines: [] }
      drawTagged(pdf, pdf.root, drawn, () => draw.apply(this, given))
    }
  }
}
tagLines()

const line = '#D3CCC2'
const muted = '#5E5850'

const tableOf = ({ columns, rows, totals }: PdfPart): object => {
  const table: RowTag['table'] = {}
  const tagged = (type: CellTag['type'], texts: readonly string[], span = 1) => {
    const row: RowTag = { table, cells: [] }
    row.cells = texts.map(() => ({ row, type, span }))
    return texts.map((text, at) => ({ text, cell: row.cells[at] }))
  }
  const cells = (row: readonly string[], { isBold = false, type = 'TD' as CellTag['type'] } = {}) =>
    tagged(type, row).map((cell, at) => ({
      ...cell,
      ...(isBold && { bold: true }),
      alignment: columns[at]!.isFigure ? 'right' : 'left',
    }))
  const heading = (text: string) => [
    ...tagged('TH', [text], columns.length).map((cell) => ({
      ...cell,
      bold: true,
      colSpan: columns.length,
      margin: [0, 6, 0, 0],
    })),
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
          { isBold: true, type: 'TH' },
        ),
        ...rows.map((row) => (typeof row === 'string' ? heading(row) : cells(row))),
        ...(totals ? [cells(totals, { isBold: true })] : []),
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
      if (key === 'cell') return [key, value]
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
  const { title, by, at, file }: Pick<PdfTable, 'title' | 'by' | 'at' | 'file'> =
    'parts' in work ? work : work[0]!
  return {
    info: {
      title: file ?? title,
      author: by,
      creator: 'Practicum',
      ...(sealed && { keywords: sealed.keywords }),
    },
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
