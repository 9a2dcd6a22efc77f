import { appRoot } from './root.ts'

/**
 * What this browser notes about itself: `account`, whose answers it may show without a network; `sign-out`, when somebody
 * signed out and the server could not be told; `install`, how many punches were made here, or `no` once it was declined;
 * `ward`, that it is a ward computer, where the browser keeps nothing of anybody; `letters`, that single letters are no shortcuts;
 * `push`, that somebody turned notifications on here once; `server-time`, what the server's clock said last, in milliseconds.
 */
type Note = 'account' | 'sign-out' | 'install' | 'ward' | 'letters' | 'push' | 'server-time'

const nameOf = (note: Note): string => `practicum-${note}${appRoot}`

export const readNote = (note: Note): string | null => {
  try {
    return localStorage.getItem(nameOf(note))
  } catch {
    return null
  }
}

export const writeNote = (note: Note, value: string | number | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(nameOf(note))
    else localStorage.setItem(nameOf(note), String(value))
  } catch {
    // A browser that keeps nothing keeps nobody's answers either.
  }
}

/** The account whose answers may be shown without a network; undefined after signing out. */
export const knownAccount = (): number | undefined => Number(readNote('account')) || undefined

/** A computer of the ward, which many people use one after the other. */
export const isWardComputer = (): boolean => readNote('ward') !== null
