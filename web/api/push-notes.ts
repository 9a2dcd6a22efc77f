import { changeRows, readRows } from './queue/database.ts'

/** That an account wanted to be told on this device: what the page and the service worker have to know of it. */
export interface PushNote {
  key: string
  account: number
  /** By which the server knows this browser. */
  device: string
  /** The address that the server was told, and the key of the installation that it was made for. */
  endpoint: string
  publicKey: string
  /** Another account is signed in here: nothing is shown until this one is back. */
  isAway: boolean
}

export const readPushNotes = (): Promise<PushNote[]> => readRows<PushNote>('push')

export const keepPushNote = (note: Omit<PushNote, 'key'>): Promise<void> =>
  changeRows('push', (store) => void store.put({ ...note, key: String(note.account) }))

export const dropPushNote = (account: number): Promise<void> =>
  changeRows('push', (store) => void store.delete(String(account)))
