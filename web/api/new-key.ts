/** Random text that nobody can guess; `crypto.randomUUID` exists on secure addresses only. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
