import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutHeic } from '#server/core/files/heic.ts'
import { difference, type Judge, run, versionOf } from './judge.ts'

const pdfText: Judge = async ({ pdf, names }) => {
  const version = await versionOf('pdftotext', ['-v'])
  const { text, problem } = await run('pdftotext', [pdf, '-'])
  // Marks that tell the direction are poppler's own, and so is the space that does not break.
  const plain = text
    .replace(/\p{Cf}/gu, '')
    .replaceAll('\u00A0', ' ')
    .normalize('NFC')
  const lost = names.filter((name) => !plain.includes(name))
  return { judge: 'pdftotext', version, what: 'Names in a PDF', problem: problem || difference(lost, []) }
}

const pdfInfo: Judge = async ({ pdf }) => {
  const version = await versionOf('pdfinfo', ['-v'])
  const { text, problem } = await run('pdfinfo', [pdf])
  const read = ['Title', 'PDF version', 'Tagged'].map(
    (name) => new RegExp(`^${name}: *(.*)$`, 'm').exec(text)?.[1],
  )
  return {
    judge: 'pdfinfo',
    version,
    what: 'Title, version and tags of a PDF',
    problem: problem || difference(read, ['Names', '1.7', 'yes']),
  }
}

/** Every row of the table with its cells, once, though its headings are drawn on both pages. */
const pdfTable: Judge = async ({ pdf, names }) => {
  const version = await versionOf('pdfinfo', ['-v'])
  const { text, problem } = await run('pdfinfo', ['-struct-text', pdf])
  const count = (kind: RegExp) => text.match(kind)?.length ?? 0
  const read = [
    /^ *Table\b/gm,
    /^ *TR$/gm,
    /^ *TH:$/gm,
    /Scope \/Column/g,
    /ColSpan 2/g,
    /^ *TD$/gm,
    /"Name"/g,
  ]
  const rows = names.length + 41
  return {
    judge: 'pdfinfo -struct-text',
    version,
    what: 'The table in a PDF: rows, headings and cells',
    problem: problem || difference(read.map(count), [1, rows + 2, 3, 3, 1, rows * 2, 1]),
  }
}

const qpdf: Judge = async ({ pdf }) => {
  const version = await versionOf('qpdf')
  const { problem } = await run('qpdf', ['--check', pdf])
  return { judge: 'qpdf --check', version, what: 'PDF', problem }
}

/** A photo that libheif made HEIC comes back as the same picture: of all the ways from black to white it is two in a hundred away. */
const heicPhoto: Judge = async ({ folder }) => {
  const photo = join(import.meta.dirname, '../../server/demo/cpr-card.jpg')
  const [heic, jpeg] = [join(folder, 'photo.heic'), join(folder, 'photo.jpg')]
  const { text, problem } = await run('heif-enc', ['-q', '90', photo, '-o', heic])
  const read = await withoutHeic({ field: 'file', name: 'photo.heic', bytes: await readFile(heic) })
  await writeFile(jpeg, read.bytes)
  // It ends with 1 wherever two pictures differ at all, and says by how much.
  const compared = await run('compare', ['-metric', 'RMSE', photo, jpeg, 'null:'])
  const apart = Number(/\(([\d.e-]+)\)/.exec(compared.text || compared.problem)?.[1] ?? 1)
  return {
    judge: 'libheif and ImageMagick',
    version: /\d+(\.\d+)+/.exec(text)?.[0] ?? (await versionOf('heif-enc', ['--help'])),
    what: 'A HEIC photo as it is kept',
    problem: problem || (apart < 0.02 ? '' : `${apart} apart`),
  }
}

/** The readers of documents and pictures. */
export const documentJudges: readonly Judge[] = [pdfText, pdfInfo, pdfTable, qpdf, heicPhoto]
