import { appRoot } from '../root.ts'

/** What happened to the items of an account. */
export interface QueueChange {
  account: number
  /** How many of one kind the server has just taken. */
  sent?: { kind: string; count: number }
}

const listeners = new Set<(change: QueueChange) => void>()
let channel: BroadcastChannel | undefined

const connect = (): BroadcastChannel | undefined => {
  if (channel || !('BroadcastChannel' in globalThis)) return channel
  channel = new BroadcastChannel(`practicum-queue${appRoot}`)
  channel.onmessage = ({ data }: MessageEvent<QueueChange>) => {
    for (const tell of listeners) tell(data)
  }
  return channel
}

/** Tells this window, the others and the service worker. */
export const announce = (change: QueueChange): void => {
  for (const tell of listeners) tell(change)
  connect()?.postMessage(change)
}

/** Listens to what happens in any window, until the answered function is called. */
export const onQueueChange = (listener: (change: QueueChange) => void): (() => void) => {
  connect()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const senders = new Set<() => void>()

/** Asks this window's sender for a round; one that has not started yet begins with one. */
export const wantSending = (): void => {
  for (const begin of senders) begin()
}

export const onSendingWanted = (begin: () => void): (() => void) => {
  senders.add(begin)
  return () => senders.delete(begin)
}
