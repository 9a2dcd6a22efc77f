import { listSessions, logout } from '#contract/identity/identity.ts'
import { noteOpenSignOut, openSignOut } from './api/account.ts'
import { CallError, call } from './api/call.ts'
import { pageAddress } from './api/root.ts'

/**
 * Ends the session of whoever signed out while the server could not be told, unless somebody has signed in since. Answers
 * whether the login page comes.
 */
export const finishSignOut = async (): Promise<boolean> => {
  const at = openSignOut() ?? 0
  try {
    const sessions = await call(listSessions, {}, { staysSignedOut: true })
    const current = sessions.find(({ IsCurrent }) => IsCurrent)
    const isEarlier = current !== undefined && Date.parse(current.CreatedAt) < at
    if (isEarlier) await call(logout)
    noteOpenSignOut(undefined)
    if (isEarlier) location.replace(pageAddress('login'))
    return isEarlier
  } catch (error) {
    // Without a session there is nothing to end; without a network it stays open.
    if (error instanceof CallError && error.status === 401) noteOpenSignOut(undefined)
    return false
  }
}
