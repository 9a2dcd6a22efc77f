import { getHelpChatToken } from '#contract/session/help-chat.ts'
import { call } from '#web/api/call.ts'
import { untilItWorks } from './retry.ts'

/** What the script of the help desk puts on the window. */
type Widget = (
  kind: 'messenger',
  verb: 'loginUser',
  giveToken: (take: (token: string) => void) => void,
) => void

const fetchToken = async (): Promise<string> =>
  (await call(getHelpChatToken, {}, { isBackground: true, staysSignedOut: true })).Token

const loadScript = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.id = 'ze-snippet'
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('The help chat did not load.'))
    }
    document.head.append(script)
  })

let isLoaded = false

/** The token first: without one the help desk would not know who asks, so nothing of the chat is loaded. */
export const startChat = async (address: string, signal: AbortSignal): Promise<void> => {
  let first = await untilItWorks(fetchToken, signal)
  if (first === undefined || isLoaded) return
  isLoaded = true
  await untilItWorks(() => loadScript(address), new AbortController().signal)
  const { zE } = window as { zE?: Widget }
  zE?.('messenger', 'loginUser', (take) => {
    const known = first
    first = undefined
    if (known) take(known)
    else void untilItWorks(fetchToken, new AbortController().signal).then((token) => token && take(token))
  })
}
