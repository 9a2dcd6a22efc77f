// cyrb53, a 53-bit hash in the public domain. Browsers offer their own hashes on secure addresses only.
const hash = (text: string, seed: number): number => {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}

/** Counts are changed by everybody's other work. */
const isCount = (name: string): boolean => name.endsWith('Count')

/**
 * A short text that is the same as long as what was read is the same: the value of `If-Match`. Both sides compute it from
 * the JSON that went over the wire; it protects from accidents, not from attacks.
 */
export const fingerprint = (seen: unknown, ignores: readonly string[] = []): string => {
  const text =
    JSON.stringify(seen, (name, value) => (isCount(name) || ignores.includes(name) ? undefined : value)) ?? ''
  return `"${hash(text, 0).toString(36)}-${hash(text, 1).toString(36)}"`
}
