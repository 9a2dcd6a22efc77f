import type { PunchInput } from '#contract/time/clock.ts'

/**
 * Punches that could not be sent. They are kept on the device with their own moment and key until the server has answered:
 * the key makes sure that one which arrived after all counts once.
 */
export interface KeptPunch {
  key: string
  body: PunchInput & { OccurredAt: string }
  /** Set when the server refused it: what it said. */
  refusal?: string
}

export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = (userId: number): string => `practicum-punches-${userId}`

export const readKept = (shelf: Shelf, userId: number): KeptPunch[] => {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(nameOf(userId)) ?? '[]')
    return Array.isArray(kept) ? (kept as KeptPunch[]) : []
  } catch {
    return []
  }
}

const write = (shelf: Shelf, userId: number, kept: readonly KeptPunch[]): void => {
  if (kept.length === 0) shelf.removeItem(nameOf(userId))
  else shelf.setItem(nameOf(userId), JSON.stringify(kept))
}

/** Keeps a punch until it is sent; the same key is kept once. */
export const queuePunch = (shelf: Shelf, userId: number, punch: KeptPunch): void => {
  const kept = readKept(shelf, userId)
  if (!kept.some(({ key }) => key === punch.key)) write(shelf, userId, [...kept, punch])
}

export const dropPunch = (shelf: Shelf, userId: number, key: string): void =>
  write(
    shelf,
    userId,
    readKept(shelf, userId).filter((each) => each.key !== key),
  )

/** The outcome of sending one saved punch: taken, refused for good, or not answered yet. */
export type Sent = { is: 'taken' } | { is: 'refused'; message: string } | { is: 'unanswered' }

/**
 * Sends what is kept, oldest first, and stops at the first that is not answered, so that a clock-out never overtakes its
 * clock-in. What the server refuses stays with the reason until the person has seen it.
 *
 * @returns how many were taken
 */
export const sendKept = async (
  shelf: Shelf,
  userId: number,
  send: (punch: KeptPunch) => Promise<Sent>,
): Promise<number> => {
  let taken = 0
  for (const punch of readKept(shelf, userId)) {
    if (punch.refusal !== undefined) continue
    const sent = await send(punch)
    if (sent.is === 'unanswered') return taken
    if (sent.is === 'taken') {
      taken++
      dropPunch(shelf, userId, punch.key)
    } else {
      write(
        shelf,
        userId,
        readKept(shelf, userId).map((each) =>
          each.key === punch.key ? { ...each, refusal: sent.message } : each,
        ),
      )
    }
  }
  return taken
}

/** Random and unguessable, also where the page has no secure context. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
