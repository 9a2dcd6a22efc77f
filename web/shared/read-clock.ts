import { getClock, listOwnRecords } from '#contract/time/clock.ts'
import { call } from '#web/api/call.ts'
import { onQueueChange } from '#web/api/queue/changes.ts'
import { drop, isTaken } from '#web/api/queue/queue.ts'
import { type Kept, listItems } from '#web/api/queue/stores.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'

/** A clock that could not be read is tried again after this. */
const retryMs = 5_000

const listTaken = async (account: number): Promise<Kept[]> =>
  (await listItems(account)).filter((item) => isTaken(item) && !gone.has(item.key))

/**
 * Reads the clock for the screens. What was being read meanwhile may be older and is given up.
 *
 * @throws CallError where it could not be read
 */
export const readClock = async (): Promise<void> => {
  const clock = await call(getClock, {}, { isBackground: true })
  await queryClient.cancelQueries({ queryKey: readKey(getClock) })
  queryClient.setQueryData(readKey(getClock, {}), clock)
  void queryClient.invalidateQueries({ queryKey: readKey(listOwnRecords) })
}

/** Keys already dropped, in case the browser fails to delete them. */
const gone = new Set<string>()
let last = Promise.resolve()

const readTakenNow = async (account: number): Promise<void> => {
  const taken = await listTaken(account)
  if (taken.length === 0) return
  await readClock()
  for (const item of taken) {
    gone.add(item.key)
    await drop(item)
  }
}

/**
 * Drops what the server has taken, once the clock has been read that knows of it; until then the screen shows what was pressed. Calls are
 * queued, so that a second one does not read the clock again.
 *
 * @throws CallError where the clock could not be read
 */
export const readTaken = (account: number): Promise<void> => {
  const reading = last.then(() => readTakenNow(account))
  last = reading.catch(() => {})
  return reading
}

/** Does so now and whenever the queue changes, in any window. */
export const startReadingTaken = (account: number): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = () => {
    clearTimeout(timer)
    readTaken(account).catch(() => {
      timer = setTimeout(read, retryMs)
    })
  }
  onQueueChange((change) => {
    if (change.account === account) read()
  })
  read()
}
