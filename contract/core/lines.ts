export type LineRefusal = 'too_long' | 'control' | 'twice' | 'exists' | 'full'
export interface ReadLines {
  Taken: string[]
  Refused: { Line: number; Text: string; Reason: LineRefusal }[]
}

const bullet = /^(?:[-*•–·]|\(?\d{1,3}[.)])\s+/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const control = /[\u0000-\u001F\u007F\u2028\u2029]/
const alike = (text: string): string => text.toLowerCase()

/**
 * The lines of a pasted text without the bullet or number in front; empty lines count for nothing. Refused by name: what is too
 * long, twice, or there already, and what does not fit in anymore.
 */
export const readLines = (
  pasted: string,
  existing: readonly string[],
  { longest, limit }: { longest: number; limit: number },
): ReadLines => {
  const known = new Set(existing.map(alike))
  const room = limit - existing.length
  const taken = new Set<string>()
  const result: ReadLines = { Taken: [], Refused: [] }
  for (const [index, raw] of pasted.split(/\r\n|\r|\n/).entries()) {
    const text = raw.replaceAll('\t', ' ').normalize('NFC').trim().replace(bullet, '')
    if (text === '') continue
    const reason: LineRefusal | undefined =
      text.length > longest
        ? 'too_long'
        : control.test(text)
          ? 'control'
          : known.has(alike(text))
            ? 'exists'
            : taken.has(alike(text))
              ? 'twice'
              : taken.size >= room
                ? 'full'
                : undefined
    if (reason) result.Refused.push({ Line: index + 1, Text: text.slice(0, 120), Reason: reason })
    else {
      taken.add(alike(text))
      result.Taken.push(text)
    }
  }
  return result
}
