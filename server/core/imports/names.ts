/** A name as it is compared: without case and extra blanks. */
export const nameKey = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
