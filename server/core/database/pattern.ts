/** A pattern for ILIKE that matches the text anywhere, with its own %, _ and \ taken literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
