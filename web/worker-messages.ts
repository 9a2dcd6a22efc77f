/** What a window says to the service worker, and the other way round. */
export type WorkerMessage =
  /** Whether these are files of its version; it answers through the port. */
  | { ask: 'has'; files: string[] }
  /** It begins now, and does not wait until all windows are closed. */
  | { ask: 'take-over' }
  /** Of the service worker: the page shows what a notification is about; it answers through the port. */
  | { ask: 'open'; address: string }

export const takeOver: WorkerMessage = { ask: 'take-over' }
