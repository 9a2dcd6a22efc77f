import { appRoot } from './root.ts'

const accountName = `practicum-account${appRoot}`
const endingName = `practicum-sign-out${appRoot}`

const read = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
const write = (name: string, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // A browser that keeps nothing keeps nobody's answers either.
  }
}

/** The account that this device may show answers of without a network; undefined after signing out. */
export const knownAccount = (): number | undefined => Number(read(accountName)) || undefined

/** Notes who is signed in, or that nobody is. */
export const noteAccount = (account: number | undefined): void =>
  write(accountName, account === undefined ? undefined : String(account))

/** What of the browser's storage is somebody's own. Choices for the device, such as its colors, and what waits to be sent stay. */
const isOwn = (name: string): boolean => /^(recent-finds|email-preview)/.test(name)

/** Forgets what the person leaves behind who signs out: who it was, fields that were not saved, what was looked for. */
export const forgetPerson = (): void => {
  noteAccount(undefined)
  try {
    sessionStorage.clear()
    for (const name of Object.keys(localStorage).filter(isOwn)) localStorage.removeItem(name)
  } catch {
    // Without storage nothing was left.
  }
}

/** When somebody signed out and the server could not be told; undefined as a rule. */
export const openSignOut = (): number | undefined => Number(read(endingName)) || undefined

export const noteOpenSignOut = (at: number | undefined): void =>
  write(endingName, at === undefined ? undefined : String(at))
