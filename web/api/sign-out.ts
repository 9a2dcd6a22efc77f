import { getSession, logout } from '#contract/identity/identity.ts'
import { confirm } from '#web/ui/confirm.ts'
import { plainWords } from '#web/words/plain-words.ts'
import { CallError, call, forgetToken } from './call.ts'
import { knownAccount, writeNote } from './device.ts'
import { forgetDrafts } from './drafts.ts'
import { forgetAnswers } from './kept-answers.ts'
import { forgetPush } from './push-device.ts'
import { onQueueChange, wantSending } from './queue/changes.ts'
import { isWaiting } from './queue/queue.ts'
import { listItems } from './queue/stores.ts'
import { pageAddress } from './root.ts'

/** How long signing out waits for what is being sent. */
const sendingMs = 3_000

const countWaiting = async (account: number): Promise<number> =>
  (await listItems(account)).filter(isWaiting).length

/** How many changes of the account still wait after one more attempt to send them. */
const countUnsent = async (account: number): Promise<number> => {
  if ((await countWaiting(account)) === 0) return 0
  return new Promise((resolve) => {
    const finish = async (isLast: boolean) => {
      const count = await countWaiting(account)
      if (count > 0 && !isLast) return
      clearTimeout(timer)
      leave()
      resolve(count)
    }
    const leave = onQueueChange(() => void finish(false))
    const timer = setTimeout(() => void finish(true), navigator.onLine ? sendingMs : 0)
    wantSending()
  })
}

/** Asks whether somebody signs out although changes wait. They stay bound to the account, which alone can send them. */
const mayLeave = async (): Promise<boolean> => {
  const account = knownAccount()
  const count = account === undefined ? 0 : await countUnsent(account)
  if (count === 0) return true
  return confirm({
    title: plainWords('shell.unsentTitle', { count }),
    text: plainWords('shell.unsent', { count }),
    verb: plainWords('shell.signOutUnsent'),
    cancel: plainWords('shell.staySignedIn'),
    danger: true,
  })
}

/** What of the browser's storage is somebody's own. Choices for the device, such as its colors, and what waits to be sent stay. */
const isOwn = (name: string): boolean => /^(recent-finds|email-preview)/.test(name)

/** Forgets what the person leaves behind besides answers: fields that were not saved, and what was looked for. */
export const forgetPerson = (): void => {
  try {
    sessionStorage.clear()
    for (const name of Object.keys(localStorage).filter(isOwn)) localStorage.removeItem(name)
  } catch {
    // Without storage nothing was left.
  }
}

/**
 * Ends the session, forgets what the device knows of the person, and shows the login page. Where the server cannot be told, it
 * is as soon as it can (`web/finish-sign-out.ts`).
 */
export const signOut = async (): Promise<void> => {
  if (!(await mayLeave())) return
  const college = await call(getSession, {}, { staysSignedOut: true })
    .then(({ SignOutAddress }) => SignOutAddress)
    .catch(() => '')
  try {
    await call(logout, {}, { staysSignedOut: true })
  } catch (error) {
    if (error instanceof CallError && (error.status === 0 || error.status >= 500))
      writeNote('sign-out', Date.now())
  }
  forgetToken()
  forgetPerson()
  await Promise.allSettled([forgetAnswers(), forgetDrafts(), forgetPush()])
  location.assign(college || pageAddress('login'))
}
