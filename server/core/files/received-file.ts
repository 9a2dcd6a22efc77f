/** A file that came with a call. */
export interface ReceivedFile {
  /** The form field it came in. */
  field: string
  /** As the sender called it, without folders. */
  name: string
  bytes: Buffer
}
