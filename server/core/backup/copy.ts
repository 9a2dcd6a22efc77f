import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Client, Connection, DatabaseError, Submittable } from 'pg'

/** What `pg` calls on a query while COPY runs, and what of its connection serves COPY. Its types leave both out. */
type CopyConnection = Connection & {
  query(sql: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}
type CopyQuery = Submittable & {
  handleError(error: DatabaseError): void
  handleReadyForQuery(): void
  handleCommandComplete(): void
  handleCopyData(message: { chunk: Buffer }): void
  handleCopyInResponse(connection: CopyConnection): void
}

/**
 * Runs `copy … to stdout`. Every chunk ends at the end of a row, because PostgreSQL sends row by row in the text format.
 *
 * @param partBytes a chunk is given out as soon as it is at least as large
 */
export function copyOut(client: Client, sql: string, partBytes: number): AsyncIterable<Buffer> {
  let connection: CopyConnection
  let rows: Buffer[] = []
  let bytes = 0
  const goOn = () => void connection?.stream.resume()
  const output = new Readable({
    objectMode: true,
    highWaterMark: 2,
    read: goOn,
    destroy(error, done) {
      goOn()
      done(error)
    },
  })
  function give(): void {
    if (bytes === 0) return
    // When nobody listens anymore, the rest of the answer still has to be read off the connection.
    if (!output.destroyed && !output.push(Buffer.concat(rows))) connection.stream.pause()
    rows = []
    bytes = 0
  }
  const query: CopyQuery = {
    submit(given) {
      connection = given as CopyConnection
      connection.query(sql)
    },
    handleCopyData({ chunk }) {
      // The parser of pg reuses its buffer.
      rows.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes >= partBytes) give()
    },
    handleCommandComplete: give,
    handleReadyForQuery: () => {
      if (!output.destroyed) output.push(null)
      // The last rows may have paused it, and after the end nobody asks for more.
      goOn()
    },
    handleError: (error) => void output.destroy(error),
    handleCopyInResponse: () => {},
  }
  client.query(query)
  return output
}

/** Runs `copy … from stdin` with what `source` gives. */
export function copyIn(
  client: Client,
  sql: string,
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    async function send(connection: CopyConnection): Promise<void> {
      try {
        for await (const chunk of source) {
          if (failure) return
          connection.sendCopyFromChunk(chunk)
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
        }
        connection.endCopyFrom()
      } catch (error) {
        failure ??= error as Error
        connection.sendCopyFail('the source failed')
      }
    }
    const query: CopyQuery = {
      submit: (connection) => (connection as CopyConnection).query(sql),
      handleCopyInResponse: (connection) => void send(connection),
      handleCommandComplete: () => {},
      handleReadyForQuery: resolve,
      // pg tells a query that has failed nothing more.
      handleError: (error) => {
        failure ??= error
        reject(failure)
      },
      handleCopyData: () => {},
    }
    client.query(query)
  })
}
