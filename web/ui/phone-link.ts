/** The address that calls a phone number as people write it: the first where there are two, with its extension (RFC 3966). */
export const phoneLink = (phone: string): string => {
  // The zero of "+44 (0)20" is dialed inside the country only.
  const text = phone.replace(/^tel:/i, '').replace(/^(\+[^(]*)\(0\)/, '$1')
  const [, number = text, extension] =
    /^([^a-z#]*\d[^a-z#]*)(?:(?:extension|ext|x|#)\W*(\d+))?/i.exec(text) ?? []
  return `tel:${number.replace(/[^\d+]/g, '')}${extension ? `;ext=${extension}` : ''}`
}
