import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import bidiFactory from 'bidi-js'
import type { Font } from 'fontkit'

/** The font of all that it has letters for. pdfmake comes with it. */
export const ownFont = 'Roboto'

/** A piece of text and the font that has its letters. The pieces of a text stand from left to right. */
export interface TextRun {
  text: string
  font: string
}

/** Files of a font, as pdfmake takes them. */
export type FontFiles = Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>

const require = createRequire(import.meta.url)
// The copy that pdfmake draws with.
const { openSync } = require('fontkit') as typeof import('fontkit')

interface MarkPlacer {
  applyAnchor: (mark: { markAnchor: unknown }, base: unknown, at: number) => void
}

let isMended = false
/** fontkit throws at a mark for which a font has no anchor on its letter: such a mark keeps its default position. */
const keepUnanchoredMarks = (face: Font): void => {
  // Its types leave out how it works inside.
  const placer = (face as unknown as { _layoutEngine: { engine?: { GPOSProcessor?: MarkPlacer } } })
    ._layoutEngine.engine?.GPOSProcessor
  if (isMended || !placer) return
  isMended = true
  const all = Object.getPrototypeOf(placer) as MarkPlacer
  const { applyAnchor } = all
  all.applyAnchor = function (mark, base, at) {
    if (base && mark.markAnchor) applyAnchor.call(this, mark, base, at)
  }
}

/** Fonts of the scripts that Roboto has not, each in packages of parts by the letters in them. */
const scripts = [
  ...['noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-devanagari', 'noto-sans-bengali'],
  ...['noto-sans-gurmukhi', 'noto-sans-gujarati', 'noto-sans-tamil', 'noto-sans-telugu', 'noto-sans-kannada'],
  ...['noto-sans-malayalam', 'noto-sans-sinhala', 'noto-sans-thai', 'noto-sans-lao', 'noto-sans-khmer'],
  ...['noto-sans-myanmar', 'noto-sans-ethiopic', 'noto-sans-armenian', 'noto-sans-georgian'],
  ...['noto-sans-sc', 'noto-sans-kr'],
]

interface Part {
  font: string
  ranges: [first: number, last: number][]
}

const rangeOf = (range: string): [number, number] => {
  const [first = '', last = first] = range.replace('U+', '').split('-')
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
}

const folderOf = (script: string): string => dirname(require.resolve(`@fontsource/${script}/package.json`))

/** The parts of all fonts, read when the first text needs one. */
let known: Part[] | undefined
const parts = (): Part[] => {
  known ??= scripts.flatMap((script) => {
    const subsets = JSON.parse(readFileSync(join(folderOf(script), 'unicode.json'), 'utf8')) as Record<
      string,
      string
    >
    return Object.entries(subsets).map(([subset, ranges]) => ({
      font: `${script} ${subset.replace(/[[\]]/g, '')}`,
      ranges: ranges.split(',').map(rangeOf),
    }))
  })
  return known
}

/** The files of a font of `runsOf`. */
export const filesOf = (font: string): FontFiles => {
  const [script = '', subset = ''] = font.split(' ')
  const path = (weight: number): string =>
    join(folderOf(script), 'files', `${script}-${subset}-${weight}-normal.woff`)
  const [normal, bold] = [path(400), path(700)]
  return { normal, bold, italics: normal, bolditalics: bold }
}

const ownFile = join(dirname(require.resolve('pdfmake/fonts/Roboto.js')), 'Roboto', 'Roboto-Regular.ttf')
const opened = new Map<string, (codePoint: number) => boolean>()
const hasLetter = (font: string, codePoint: number): boolean => {
  let has = opened.get(font)
  if (!has) {
    const file = font === ownFont ? ownFile : filesOf(font).normal
    // None of the files is a collection of fonts.
    const all = existsSync(file) ? (openSync(file) as Font) : undefined
    // The table of letters of one part of Chinese, that of some pictures, cannot be read; its types leave the table out.
    const face = (all as unknown as { cmap?: object } | undefined)?.cmap ? all : undefined
    if (face) keepUnanchoredMarks(face)
    has = (code) => face?.hasGlyphForCodePoint(code) ?? false
    opened.set(font, has)
  }
  return has(codePoint)
}

/** Signs that steer a text and are not drawn. */
const unseen = /\p{Cc}|\p{Cf}|\p{Variation_Selector}/u

/** The font for what is read as one letter; the one before it where that has it too. */
const fontFor = (letter: string, before: string | undefined): string | undefined => {
  // No part of a text that is split by its signs is empty.
  const codes = [...letter].filter((sign) => !unseen.test(sign)).map((sign) => sign.codePointAt(0)!)
  const draws = (font: string) => codes.every((code) => hasLetter(font, code))
  if (before && before !== ownFont && draws(before)) return before
  if (draws(ownFont)) return ownFont
  const [first = 0] = codes
  return parts().find(
    ({ font, ranges }) => ranges.some(([from, to]) => first >= from && first <= to) && draws(font),
  )?.font
}

const bidi = bidiFactory()
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const lettersOf = (text: string): string[] => Array.from(letters.segment(text), ({ segment }) => segment)

/** A text with letters that no font has. */
export class UndrawableText extends Error {
  readonly text: string

  constructor(text: string) {
    super(`No font has the letters of ${text}`)
    this.text = text
  }
}

/** Emoji, also those that are put together of several, flags and keys. */
const picture = /\p{RGI_Emoji}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/v

/** Pieces of one font each. Pictures and signs that no font has are left out; letters are not. */
const byFont = (text: string, whole: string): TextRun[] => {
  const runs: TextRun[] = []
  for (const letter of lettersOf(text)) {
    const last = runs.at(-1)
    const font = fontFor(letter, last?.font)
    if (font === undefined) {
      if (/[\p{L}\p{M}\p{N}]/u.test(letter) && !picture.test(letter)) throw new UndrawableText(whole)
    } else if (last?.font === font) last.text += letter
    else runs.push({ text: letter, font })
  }
  return runs
}

/** Pieces of a text that runs from right to left, in the order in which they stand. A font turns its own script itself. */
const turned = (text: string, whole: string): TextRun[] => {
  const mirrored = bidi.getMirroredCharactersMap(text, bidi.getEmbeddingLevels(text, 'rtl').levels)
  const signs = text
    .split('')
    .map((sign, at) => mirrored.get(at) ?? sign)
    .join('')
  return byFont(signs, whole)
    .reverse()
    .map(({ text: each, font }) => ({
      font,
      text: rightToLeft.test(each) ? each : lettersOf(each).reverse().join(''),
    }))
}

/** Pieces of the same direction, by the levels of Unicode's algorithm for two directions. */
const byLevel = (text: string, levels: Uint8Array): { text: string; level: number }[] => {
  const found: { text: string; level: number }[] = []
  for (let at = 0; at < text.length; at++) {
    const level = levels[at]!
    const last = found.at(-1)
    if (last?.level === level) last.text += text[at]!
    else found.push({ text: text[at]!, level })
  }
  return found
}

const isPlain = /^[\n -~\u00A0-\u024F\u2013\u2014\u2018-\u201D\u2022\u2026]*$/

/**
 * A text as it is drawn: as it is where one font has all of it, else in pieces from left to right.
 *
 * @throws UndrawableText for letters that no font has
 */
export const runsOf = (given: string): string | TextRun[] => {
  if (isPlain.test(given)) return given
  const text = given.toWellFormed().normalize('NFC')
  if (!rightToLeft.test(text)) {
    const runs = byFont(text, text)
    return runs.every(({ font }) => font === ownFont) ? runs.map((run) => run.text).join('') : runs
  }
  const runs: TextRun[] = []
  let turnedRuns: TextRun[] = []
  for (const { text: piece, level } of byLevel(text, bidi.getEmbeddingLevels(text, 'ltr').levels)) {
    // What runs from right to left stays in one line with its words in their order.
    if (level === 0) {
      runs.push(...turnedRuns, ...byFont(piece, text))
      turnedRuns = []
    } else {
      const held = piece.replaceAll(' ', '\u00A0')
      turnedRuns.unshift(...(level % 2 === 1 ? turned(held, text) : byFont(held, text)))
    }
  }
  return [...runs, ...turnedRuns]
}
