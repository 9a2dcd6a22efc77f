import { onSendingWanted } from './changes.ts'
import type { AnyQueueKind } from './item.ts'
import { noteRound, type Round } from './last-round.ts'
import { askToStay } from './queue.ts'
import { sendKept } from './send.ts'

/** A network that has just come back often carries nothing for a moment. Each round that leaves something doubles the wait. */
const firstRetryMs = 1_000
const retryMs = 20_000

/**
 * Sends what waits of the account while this window is open: now, when the network is back, when the window is looked at,
 * when a screen asks for it, soon after a round that left something, and every 20 seconds. What is asked for during a round gets one of
 * its own after it: the one that is running may be about to fail without the network that has just come back.
 */
export const startSending = (kinds: readonly AnyQueueKind[], account: number): void => {
  let isRunning = false
  let isWantedAgain = false
  let pauseMs = firstRetryMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const round = async () => {
    const ended = await sendKept(kinds, account)
    if (ended === 'waiting') await askToStay()
    noteRound(ended)
    return ended
  }
  const go = async () => {
    isWantedAgain = isRunning
    if (isRunning) return
    isRunning = true
    clearTimeout(timer)
    let ended: Round | undefined
    try {
      ended = await round()
    } finally {
      isRunning = false
      if (isWantedAgain) void go()
      else if (ended === 'waiting') {
        timer = setTimeout(go, pauseMs)
        pauseMs = Math.min(2 * pauseMs, retryMs)
      } else timer = setTimeout(go, retryMs)
    }
  }
  const begin = () => {
    pauseMs = firstRetryMs
    void go()
  }
  begin()
  addEventListener('online', begin)
  onSendingWanted(begin)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') begin()
  })
}
