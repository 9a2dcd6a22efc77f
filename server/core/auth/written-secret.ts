import { randomBytes } from 'node:crypto'

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const groupLength = 5

/** Groups of five letters and digits that are not mistaken for each other: about 25 bits each. */
export const newWrittenSecret = (groups: number): string =>
  Array.from({ length: groups }, () =>
    [...randomBytes(groupLength)].map((byte) => letters[byte % letters.length]).join(''),
  ).join('-')
