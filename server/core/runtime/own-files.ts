import { existsSync } from 'node:fs'

const checkMs = 10_000

/**
 * Watches whether the files that this process runs on are still there. Without some that are loaded only when they are needed
 * it would live half: it is better gone, and said so.
 *
 * @param onGone called once, with a path that was missing twice in a row: one that is replaced is missing for a moment
 */
export const watchOwnFiles = (
  paths: readonly string[],
  onGone: (path: string) => void,
  everyMs = checkMs,
): { stop: () => void } => {
  let missed: string | undefined
  const timer = setInterval(() => {
    const gone = paths.find((path) => !existsSync(path))
    if (gone !== undefined && gone === missed) {
      clearInterval(timer)
      onGone(gone)
    }
    missed = gone
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
