/** The size of a file as people read it: '12 kB', '3.4 MB'. */
export const fileSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

const kinds: readonly (readonly [RegExp, string])[] = [
  [/pdf$/, 'PDF'],
  [/wordprocessingml/, 'Word'],
  [/spreadsheetml/, 'Excel'],
  [/presentationml/, 'PowerPoint'],
  [/^image\//, 'Picture'],
  [/^text\//, 'Text'],
]

/** The kind of a file by its media type, in one word. */
export const fileKind = (mediaType: string): string =>
  kinds.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'File'
