import { onSendingWanted } from './changes.ts'
import type { AnyQueueKind } from './item.ts'
import { noteRound } from './last-round.ts'
import { askToStay } from './queue.ts'
import { sendKept } from './send.ts'

const retryMs = 20_000

/**
 * Sends what waits of the account while this window is open: now, when the network is back, when the window is looked at,
 * when a screen asks for it, and every 20 seconds. What is asked for during a round gets one of its own after it: the one that is
 * running may be about to fail without the network that has just come back.
 */
export const startSending = (kinds: readonly AnyQueueKind[], account: number): void => {
  let isRunning = false
  let isWantedAgain = false
  const round = async () => {
    const ended = await sendKept(kinds, account)
    if (ended === 'waiting') await askToStay()
    noteRound(ended)
  }
  const begin = () => {
    isWantedAgain = isRunning
    if (isRunning) return
    isRunning = true
    void round().finally(() => {
      isRunning = false
      if (isWantedAgain) begin()
    })
  }
  begin()
  addEventListener('online', begin)
  onSendingWanted(begin)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') begin()
  })
  setInterval(begin, retryMs)
}
