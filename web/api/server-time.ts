import { readNote, writeNote } from './device.ts'

/** How much newer a moment has to be before it is noted for the next visit. */
const noteEveryMs = 30_000

let last: { at: number; since: number } | undefined
let noted = Number(readNote('server-time')) || 0

/** Notes what the server's clock said with an answer; one that the device had kept says nothing new. */
export const noteServerTime = ({ headers }: Pick<Response, 'headers'>): void => {
  const at = Date.parse(headers.get('date') ?? '')
  if (!(at > Math.max(noted, last?.at ?? 0))) return
  last = { at, since: performance.now() }
  if (at - noted < noteEveryMs) return
  noted = at
  writeNote('server-time', at)
}

/**
 * The last thing that the server's clock said, and the milliseconds since then by a clock that nobody can set, which is known to
 * this visit of the page only.
 */
export const serverTime = (): { ServerAt?: string; SinceServerAt?: number } => {
  if (last)
    return {
      ServerAt: new Date(last.at).toISOString(),
      SinceServerAt: Math.round(performance.now() - last.since),
    }
  return noted > 0 ? { ServerAt: new Date(noted).toISOString() } : {}
}
