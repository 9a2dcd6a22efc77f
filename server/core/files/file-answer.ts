/** A streamed download. `chunks` is read inside the call's transaction, so a cursor may feed it. */
export interface FileAnswer {
  name: string
  type: string
  chunks: AsyncIterable<Uint8Array | string>
  /** What is different whenever the bytes are: a caller that has them already is told so (RFC 9110 §13.1.2). */
  version?: string
  /** Where all rows are there already: how many, and up to how many a person can wait for. */
  size?: { rows: number; direct: number }
}
