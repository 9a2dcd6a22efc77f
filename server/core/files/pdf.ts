import { Worker } from 'node:worker_threads'
import type { FileAnswer } from './file-answer.ts'

/** A report of one table. All texts are ready to print. */
export interface PdfTable {
  title: string
  /** Under the title: whose report it is, and its filters. */
  lines: readonly string[]
  columns: readonly { title: string; isFigure?: boolean }[]
  rows: readonly (readonly string[])[]
  /** The last row, bold. */
  totals?: readonly string[]
  /** Who had it made, and when: they are at the foot of every page beside its number. */
  by: string
  at: string
}

/** Laying out pages takes seconds: it runs on its own thread, so that nobody else waits. */
const makePdf = (table: PdfTable): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: table,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread that makes a PDF ended with ${code}`)))
  })

async function* once(bytes: Uint8Array) {
  yield bytes
}

/** A table as a PDF download; `name` is the file's name without its ending. */
export const pdfFile = async (name: string, table: PdfTable): Promise<FileAnswer> => ({
  name: `${name}.pdf`,
  type: 'application/pdf',
  chunks: once(await makePdf(table)),
})
