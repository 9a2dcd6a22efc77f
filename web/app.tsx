import { QueryClientProvider } from '@tanstack/react-query'
import { takeAnswers } from './api/answers.ts'
import { reportFault } from './api/broken.ts'
import { readNote } from './api/device.ts'
import { noteInstall } from './api/install.ts'
import { nextStep } from './api/next-step.ts'
import { isFromShell } from './api/root.ts'
import { queryClient } from './api/use-call.ts'
import { loadPage, PageRouter, startRouter } from './PageRouter.tsx'
import { show } from './show.tsx'

/** What comes once the page is drawn, and is in nobody's way. */
const offlineAfterMs = 1_000
const offlineAgainMs = 10_000

/** As the HTML names them (`server/core/http/built-pages.ts`). */
const filesAfterwards = (): string[] =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[name=afterwards]')].map(({ content }) => content)

// With "await", and not with "then": the build draws a "then" into the import, and what is missing before it escapes.
const startOffline = async (): Promise<void> => {
  let offline: typeof import('./offline.ts')
  try {
    // Into the browser's store first: Chromium never imports again what an import has missed once.
    await Promise.all(filesAfterwards().map((file) => fetch(file)))
    offline = await import('./offline.ts')
  } catch {
    const again = () => {
      clearTimeout(timer)
      removeEventListener('online', again)
      void startOffline()
    }
    const timer = setTimeout(again, offlineAgainMs)
    addEventListener('online', again)
    return
  }
  await offline.startOffline()
}

const startHands = async (): Promise<void> => {
  try {
    const hands = await import('./hands.ts')
    hands.startHands()
  } catch {
    // Without a network at the first visit: Back leaves the page then.
  }
}

/** Shows the page of the address: any but the login page. In steps, between which a slow phone answers touches. */
export const showApp = async (): Promise<void> => {
  noteInstall()
  addEventListener('error', ({ error }) => void reportFault(error))
  addEventListener('unhandledrejection', ({ reason }) => void reportFault(reason))
  await nextStep()
  if (readNote('sign-out') && (await (await import('./finish-sign-out.ts')).finishSignOut())) return
  takeAnswers()
  if (isFromShell) await (await import('./from-shell.ts')).startFromShell()
  const page = loadPage()
  await nextStep()
  const first = await page
  startRouter(first)
  show(() => (
    <QueryClientProvider client={queryClient}>
      <PageRouter first={first} />
    </QueryClientProvider>
  ))
  void startHands()
  setTimeout(() => void startOffline(), offlineAfterMs)
}
