/** What a window says to the service worker. */
export type WorkerMessage =
  /** Whether these are files of its version; it answers through the port. */
  | { ask: 'has'; files: string[] }
  /** It begins now, and does not wait until all windows are closed. */
  | { ask: 'take-over' }

export const takeOver: WorkerMessage = { ask: 'take-over' }
