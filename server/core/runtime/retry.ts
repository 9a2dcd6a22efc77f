const day = 24 * 3_600

/**
 * Seconds to wait after an attempt that failed; undefined after the last of the schedule. A tenth more or less, so that what failed
 * together does not come back together; a receiver that says how long to wait is believed, for a day.
 *
 * @param schedule seconds after the first attempt, the second and so on
 * @param attempts how many there were, the failed one with them
 * @param random from 0 to 1
 * @param retryAfter the header of the answer
 */
export const retryWait = (
  schedule: readonly number[],
  attempts: number,
  random: number,
  retryAfter?: string,
): number | undefined => {
  const base = schedule[attempts - 1]
  if (base === undefined) return undefined
  const asked = Number(retryAfter)
  const least = Number.isFinite(asked) && asked > 0 ? Math.min(asked, day) : 0
  return Math.max(least, Math.round(base * (0.9 + 0.2 * random)))
}
