import { listSessions, logout } from '#contract/identity/identity.ts'
import { CallError, call } from './api/call.ts'
import { readNote, writeNote } from './api/device.ts'
import { pageAddress } from './api/root.ts'

/**
 * Ends the session of whoever signed out while the server could not be told, unless somebody has signed in since. Answers
 * whether the login page comes.
 */
export const finishSignOut = async (): Promise<boolean> => {
  const at = Number(readNote('sign-out'))
  try {
    const sessions = await call(listSessions, {}, { staysSignedOut: true })
    const current = sessions.find(({ IsCurrent }) => IsCurrent)
    const isEarlier = current !== undefined && Date.parse(current.CreatedAt) < at
    if (isEarlier) await call(logout)
    writeNote('sign-out', undefined)
    if (isEarlier) location.replace(pageAddress('login'))
    return isEarlier
  } catch (error) {
    // Without a session there is nothing to end; without a network it stays open.
    if (error instanceof CallError && error.status === 401) writeNote('sign-out', undefined)
    return false
  }
}
