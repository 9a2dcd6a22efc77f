import { communicationFailures } from '#contract/communication/failures.ts'
import { openLive } from '#contract/communication/live.ts'
import { sessionCookie } from '#server/core/auth/cookies.ts'
import { findSession } from '#server/core/auth/session.ts'
import { handle, type StreamAnswer } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Subscriber } from '#server/core/runtime/live.ts'

const maxStreamsAnAccount = 8
/** Proxies close what is silent for long; and by then a session may have ended by time. */
const heartbeatMs = 20_000

export const liveRoutes = [
  handle(openLive, async ({ services, user, session, cookies }): Promise<StreamAnswer> => {
    const { live, pool } = services
    if (live.countOf(user.Id) >= maxStreamsAnAccount)
      throw fail(communicationFailures.too_many_streams, { retryAfterSeconds: 60 })
    const token = cookies.get(sessionCookie(services)) ?? ''
    return (send, end) => {
      const subscriber: Subscriber = {
        who: { user, session },
        tell: (event) => {
          send(`event: ${event}\ndata:\n\n`)
          if (event === 'ended') end()
        },
      }
      const unsubscribe = live.subscribe(subscriber)
      send(': open\n\n')
      const heartbeat = setInterval(() => {
        send(': on\n\n')
        // An open stream is no activity: it must not keep alive a session that nobody uses.
        findSession(pool, token, { isActivity: false }).then(
          (still) => {
            if (still) subscriber.who = still
            else subscriber.tell('ended')
          },
          () => {},
        )
      }, heartbeatMs)
      return () => {
        clearInterval(heartbeat)
        unsubscribe()
      }
    }
  }),
]
