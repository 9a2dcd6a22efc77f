/** A person's name as it is compared: without accents, signs, blanks and case. */
export const personKey = (first: unknown, last: unknown): string =>
  `${first ?? ''} ${last ?? ''}`
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** A name as it is compared: without case and extra blanks. */
export const nameKey = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
