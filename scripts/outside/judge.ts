import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { MadeFiles } from './made-files.ts'

/** What a program that is not ours says of files that ours made. */
export interface Verdict {
  /** The program, and what it read. */
  judge: string
  version: string
  what: string
  /** Empty where it found nothing wrong. */
  problem: string
}

/** Reads fresh files with another program; throws `Missing` where that is not on this machine. */
export type Judge = (made: MadeFiles) => Promise<Verdict>

/** A program that is not there, and how it comes. */
export class Missing extends Error {}

/** Debian's packages by the program in them. */
export const debian: Readonly<Record<string, string>> = {
  '/usr/bin/python3': 'python3-openpyxl',
  soffice: 'libreoffice-calc-nogui',
  java: 'default-jdk-headless',
  pdftotext: 'poppler-utils',
  qpdf: 'qpdf',
  age: 'age',
  'heif-enc': 'libheif-examples',
  compare: 'imagemagick',
}

const start = promisify(execFile)

/** What a program prints; `problem` where it fails. */
export const run = async (
  program: string,
  args: readonly string[],
): Promise<{ text: string; problem: string }> => {
  try {
    const { stdout, stderr } = await start(program, args, { maxBuffer: 64 * 1024 * 1024, timeout: 240_000 })
    return { text: stdout || stderr, problem: '' }
  } catch (error) {
    const { code, stderr, stdout, message } = error as Error &
      Partial<Record<'code' | 'stderr' | 'stdout', string>>
    if (code === 'ENOENT')
      throw new Missing(`${program} is missing: install ${debian[program] ?? program} (Debian)`)
    return { text: '', problem: (stderr || stdout || message).trim().split('\n').slice(-2).join(' ') }
  }
}

/** The first figures with dots in what a program says of itself. */
export const versionOf = async (program: string, args: readonly string[] = ['--version']): Promise<string> =>
  /\d+(\.\d+)+/.exec((await run(program, args)).text)?.[0] ?? 'unknown'

/** What differs between what was read and what was written; '' where nothing does. */
export const difference = (read: unknown, written: unknown): string => {
  const [left, right] = [JSON.stringify(read), JSON.stringify(written)]
  return left === right ? '' : `read ${left?.slice(0, 200)}, written ${right.slice(0, 200)}`
}
