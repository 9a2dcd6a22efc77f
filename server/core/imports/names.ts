/** A name as it is compared: without case and extra blanks. */
export const key = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** The rows of each name. */
export const group = <T>(rows: readonly T[], keysOf: (row: T) => readonly string[]): Map<string, T[]> => {
  const found = new Map<string, T[]>()
  for (const row of rows)
    for (const each of new Set(keysOf(row).filter(Boolean))) {
      const same = found.get(each)
      if (same) same.push(row)
      else found.set(each, [row])
    }
  return found
}
