const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Whole numbers as text, small ones in one character: the digits of source maps, five bits each, the lowest first. */
export const shortText = (numbers: readonly number[]): string =>
  numbers
    .map((number) => {
      let rest = number < 0 ? -2 * number + 1 : 2 * number
      let text = ''
      do {
        const low = rest & 31
        rest >>>= 5
        text += digits[rest > 0 ? low | 32 : low]
      } while (rest > 0)
      return text
    })
    .join('')

/** The numbers of a text that `shortText` made. */
export const numbersOf = (text: string): number[] => {
  const found: number[] = []
  let [value, shift] = [0, 0]
  for (const sign of text) {
    const digit = digits.indexOf(sign)
    value |= (digit & 31) << shift
    shift += 5
    if (digit >= 32) continue
    found.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = shift = 0
  }
  return found
}
