import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Whoever asked has left before the answer: nobody is told, and nothing went wrong. */
export class AbandonedError extends Error {
  override name = 'AbandonedError'
  constructor() {
    super('Nobody waits for the answer any longer.')
  }
}

/** @throws AbandonedError when the caller has left */
export const refuseAbandoned = (hasLeft: AbortSignal | undefined): void => {
  if (hasLeft?.aborted) throw new AbandonedError()
}

/** What of pg's client and connection its types leave out. */
interface OpenClient {
  host: string
  port: number
  ssl: unknown
  processID: number | null
  secretKey: number | null
}
interface RawConnection {
  stream: Socket
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void
}

/** A server that takes longer to take note is not asked any longer: the statement has a limit of its own. */
const maxRequestMs = 2_000
/** A statement that has only been sent is not running yet, and misses the first request. */
const askAgainMs = 200

/**
 * Asks the server to end what it runs for a connection, by the protocol's own request: a pooler in between passes it on to the
 * right server or to none, where a process id would name somebody else's statement. Resolves when the server has taken note.
 */
const requestCancel = (client: pg.PoolClient): Promise<void> =>
  new Promise((resolve) => {
    // What it was connected with and the key that the server gave it.
    const { host, port, ssl, processID, secretKey } = client as unknown as OpenClient
    if (processID === null || secretKey === null) return resolve()
    // The types know a connection by its client's settings alone.
    const connection = new pg.Connection({ ssl } as pg.ConnectionConfig) as unknown as RawConnection
    const end = (): void => {
      clearTimeout(timer)
      connection.stream.destroy()
      resolve()
    }
    const timer = setTimeout(end, maxRequestMs)
    const ask = (): void => connection.cancel(processID, secretKey)
    connection.on('connect', () => (ssl ? connection.requestSsl() : ask()))
    connection.on('sslconnect', ask)
    connection.on('error', end)
    // The server closes it once the signal is on its way.
    connection.on('end', end)
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })

/**
 * Ends the statements of a connection as soon as its caller has left.
 *
 * @returns to be awaited before anybody else gets the connection: a request to end must not meet the next one's statement
 */
export const cancelWhenLeft = (client: pg.PoolClient, hasLeft: AbortSignal): (() => Promise<void>) => {
  let isOver = false
  let cancelling: Promise<void> | undefined
  const cancel = async (): Promise<void> => {
    while (!isOver) {
      await requestCancel(client)
      if (!isOver) await sleep(askAgainMs)
    }
  }
  const leave = (): void => {
    cancelling = cancel()
  }
  if (hasLeft.aborted) leave()
  else hasLeft.addEventListener('abort', leave, { once: true })
  return async () => {
    isOver = true
    hasLeft.removeEventListener('abort', leave)
    await cancelling
  }
}

/**
 * A connection of the pool, unless the caller leaves first.
 *
 * @throws AbandonedError when the caller has left
 */
export const connectFor = (pool: pg.Pool, hasLeft: AbortSignal | undefined): Promise<pg.PoolClient> => {
  if (!hasLeft) return pool.connect()
  return new Promise((resolve, reject) => {
    refuseAbandoned(hasLeft)
    const leave = (): void => reject(new AbandonedError())
    hasLeft.addEventListener('abort', leave, { once: true })
    pool.connect((error, client) => {
      hasLeft.removeEventListener('abort', leave)
      if (hasLeft.aborted) client?.release()
      else if (error) reject(error)
      // Without an error there is one.
      else resolve(client!)
    })
  })
}
