/** A file that came with a call. */
export interface ReceivedFile {
  /** The form field it came in. */
  field: string
  /** As the sender called it, without folders. */
  name: string
  bytes: Buffer
  /** Where a large file of a call that may be prepared is kept; `bytes` is then empty. */
  storeKey?: string
}
