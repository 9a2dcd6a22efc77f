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

const qpdf: Judge = async ({ pdf }) => {
  const version = await versionOf('qpdf')
  const { problem } = await run('qpdf', ['--check', pdf])
  return { judge: 'qpdf --check', version, what: 'PDF', problem }
}

/** The readers of PDFs. */
export const documentJudges: readonly Judge[] = [pdfText, pdfInfo, qpdf]
