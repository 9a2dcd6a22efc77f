import { hashCode } from '#server/core/auth/seal.ts'

const part = 8
const unsaid = Buffer.alloc(part)

/**
 * The fingerprint of what was told with an Idempotency-Key: of what was done, and of what a repeat may leave out or add, such as
 * the moment of a punch that was kept. It is made under the installation's key, since positions can be guessed.
 */
export const toldHash = (
  secretKey: string,
  what: readonly unknown[],
  more: readonly (readonly unknown[] | undefined)[] = [],
): Buffer =>
  Buffer.concat(
    [what, ...more].map((each) =>
      each === undefined ? unsaid : hashCode(secretKey, 'told', JSON.stringify(each)).subarray(0, part),
    ),
  )

/** Whether a repeat tells the same as the first time, as far as both tell it. */
export const isToldAgain = (first: Buffer, again: Buffer): boolean => {
  for (let at = 0; at < Math.max(first.length, again.length); at += part) {
    const [one, other] = [first.subarray(at, at + part), again.subarray(at, at + part)]
    if (!one.equals(other) && !one.equals(unsaid) && !other.equals(unsaid)) return false
  }
  return true
}
