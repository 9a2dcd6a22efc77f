const firstMs = 1_000
const maxMs = 60_000

/** How long to wait after the n-th failure in a row, from 1: a second, then twice as long each time, at most a minute. */
export const waitAfter = (failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 16))

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })

/** Tries until it works, with growing pauses; undefined when it was called off before. */
export const untilItWorks = async <T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> => {
  for (let failures = 0; !signal.aborted; ) {
    try {
      return await attempt()
    } catch {
      failures++
      if (!signal.aborted) await sleep(waitAfter(failures), signal)
    }
  }
  return undefined
}
