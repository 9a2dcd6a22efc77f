/** A whole number as it is typed in a cell; null for anything else. */
export const wholeNumber = (typed: unknown, most: number): number | null => {
  const text = String(typed).trim()
  return /^\d{1,6}$/.test(text) && Number(text) <= most ? Number(text) : null
}
