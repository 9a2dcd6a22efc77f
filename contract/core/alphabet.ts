const collator = new Intl.Collator('en-US', { numeric: true })

/** A comma counts before every blank: Reyes, Zoe comes before Reyes Montoya, Ana. */
const key = (text: string): string => text.replaceAll(', ', '\t')

/**
 * Compares two names as every list does, in the browser and on the server: Álvarez before Baker, Week 2 before Week 10. The
 * database's collation `alphabetical` is the same order.
 */
export const alphabetical = (a: string, b: string): number => collator.compare(key(a), key(b))
