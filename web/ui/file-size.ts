import { plainWords, type WordKey } from '#web/words/plain-words.ts'

/** The size of a file as people read it: '12 kB', '3.4 MB', '12.0 GB'. */
export const fileSize = (bytes: number): string =>
  bytes >= 1_000_000_000
    ? `${(bytes / 1_000_000_000).toFixed(1)} GB`
    : bytes < 1_000_000
      ? `${Math.max(1, Math.round(bytes / 1000))} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

const kinds: readonly (readonly [RegExp, WordKey])[] = [
  [/pdf$/, 'ui.pdf'],
  [/wordprocessingml/, 'ui.word'],
  [/spreadsheetml/, 'ui.excel'],
  [/presentationml/, 'ui.powerPoint'],
  [/^image\//, 'ui.picture'],
  [/^text\//, 'ui.text'],
]

/** The kind of a file by its media type, in one word. */
export const fileKind = (mediaType: string): string =>
  plainWords(kinds.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'ui.file')
