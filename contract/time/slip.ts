/**
 * A clock-in that ended, or is taken back, within these minutes was a slip of the hand: it does not use up the clock-in of its day, and the
 * student takes it back without anybody's leave. Hardly longer than it takes to notice, and too short to be hours of anybody.
 */
export const slipMinutes = 5

/** Whether what began and ended at these moments, in milliseconds, was a slip. */
export const isSlip = (from: number, to: number): boolean => to >= from && to - from <= slipMinutes * 60_000
