/** A streamed download. `chunks` is read inside the call's transaction, so a cursor may feed it. */
export interface FileAnswer {
  name: string
  type: string
  chunks: AsyncIterable<Uint8Array | string>
}
