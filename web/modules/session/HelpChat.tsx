import { useEffect } from 'react'
import { getGlobals } from '#contract/session/session.ts'
import { useRead } from '#web/api/use-call.ts'

/** The chat of the help desk, where the installation has one and for whom it is meant. Shows nothing by itself. */
export function HelpChat() {
  const { data } = useRead(getGlobals, {}, { staleMs: 60_000 })
  const address = data?.HelpChatUrl
  useEffect(() => {
    if (!address) return
    const control = new AbortController()
    // Where its code does not come there is no chat until the next visit: nobody waits for it.
    import('./start-chat.ts').then(({ startChat }) => startChat(address, control.signal)).catch(() => {})
    return () => control.abort()
  }, [address])
  return null
}
