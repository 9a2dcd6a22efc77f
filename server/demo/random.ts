/** A stream of numbers that the seed decides: the same seed makes the same people, shifts and punches. */
export interface Random {
  /** From 0 up to, but without, 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** True in `share` of the cases (0 to 1). */
  chance(share: number): boolean
}

/** Mulberry32: small, fast and the same everywhere. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    int: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    chance: (share) => next() < share,
  }
}
