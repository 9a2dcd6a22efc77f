import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import { coreFailures } from '#contract/core/failures.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { FileAnswer } from './file-answer.ts'

/** One table of a document. */
export interface PdfPart {
  /** Over the table. */
  heading?: string
  /** Between heading and table. */
  lines?: readonly string[]
  columns: readonly { title: string; isFigure?: boolean; width?: 'auto' | '*' | number }[]
  /** A text alone is the heading of the rows below it. */
  rows: readonly (readonly string[] | string)[]
  /** The last row, bold. */
  totals?: readonly string[]
}

/** A report of one table. All texts are ready to print. */
export interface PdfTable extends PdfPart {
  title: string
  /** What the file is called if this is the first of several reports. */
  file?: string
  /** Under the title: whose report it is, and its filters. */
  lines: readonly string[]
  /** Who had it made, and when: they are at the foot of every page beside its number. */
  by: string
  at: string
}

/** A document of several tables on upright pages, which others may check. */
export interface PdfDocument extends Pick<PdfTable, 'title' | 'lines' | 'by' | 'at'> {
  parts: readonly PdfPart[]
  /** Beside the title: an address as a QR code, and what is under it. */
  seal: { address: string; lines: readonly string[] }
  /** Above the tables: what is certified, and by whom. */
  certifying: readonly string[]
  /** In the file's own data, where programs find it. ASCII. */
  keywords: string
}

/** More rows than these take a PDF longer than anybody should wait. */
export const directPdfRows = 500

/** One at a time: each takes a hundred MiB and all of a processor. */
const turn = pLimit(1)

/** A report, or several with a new page each. All have the foot of the first. */
export type PdfContent = PdfTable | readonly [PdfTable, ...PdfTable[]]

const tablesOf = (content: PdfContent): readonly [PdfTable, ...PdfTable[]] =>
  'title' in content ? [content] : content

/** What becomes one file. */
export type PdfWork = readonly PdfTable[] | PdfDocument

/** What the process that makes them answers: the files, or a text whose letters no font has. */
export type PdfAnswer = { files: Uint8Array[] } | { undrawable: string }

/** Laying out pages takes seconds and much memory: a process of its own does it, and gives all of it back. */
const makePdfs = (works: readonly PdfWork[]): Promise<Uint8Array[]> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./pdf-process.ts', import.meta.url)), [], {
      execArgv: ['--max-old-space-size=512'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.once('message', (message) => {
      const answer = message as PdfAnswer
      if ('files' in answer) resolve(answer.files)
      else reject(fail(coreFailures.undrawable, { Text: answer.undrawable }))
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The process that makes a PDF ended with ${code}`)))
    child.send(works)
  })

async function* pages(tables: readonly PdfTable[]) {
  yield* await turn(() => makePdfs([tables]))
}

/** Documents as PDF files, in their order. They are made by one process, which takes half a second and then some 50 ms for each. */
export const pdfDocuments = (documents: readonly PdfDocument[]): Promise<Uint8Array[]> =>
  turn(() => makePdfs(documents))

/** What one process makes before another one does: it holds all of it. */
const pdfsAtOnce = 20

/** Reports as files of their own, in their order; made as they are read, some at a time, so that many of them fit. */
export async function* pdfsOf(contents: readonly PdfContent[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < contents.length; at += pdfsAtOnce)
    yield* await turn(() => makePdfs(contents.slice(at, at + pdfsAtOnce).map(tablesOf)))
}

/** Tables as a PDF download, made when it is read; `name` is the file's name without its ending. */
export const pdfFile = (name: string, content: PdfContent): FileAnswer => {
  const [first, ...others] = tablesOf(content)
  const tables = others.length === 0 ? [first] : [{ ...first, file: name }, ...others]
  return {
    name: `${name}.pdf`,
    type: 'application/pdf',
    chunks: pages(tables),
    size: { rows: tables.reduce((sum, { rows }) => sum + rows.length, 0), direct: directPdfRows },
  }
}
