import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from './log.ts'

/** A connection waits this long without a byte from the database before anybody asks why. */
const silentMs = 2_000
/** When one is silent for this long, those that nothing was heard of since are asked whether they are well. */
const doubtfulMs = 500
/** The database is away when it does not answer a new connection in this time. */
const probeMs = 1_500
/** How often the connections are looked over, and the most that counts as waited between two looks. */
const sweepMs = 250
/** Above every statement's own limit: where nothing tells a slow one from a lost one, this does. */
const hopelessMs = 65_000

/** What one connection has sent and received, as of the last look. */
interface Line {
  client: pg.Client
  stream: Socket
  /** Bytes written when every statement was answered: more of them mean that an answer is due. */
  answeredAt: number
  received: number
  /** When something was last received, by the clock of the watch. */
  heardAt: number
  /** Since when an answer is due without a byte of it; now where none is due. */
  quietSince: number
  /** The database has said once that it has nothing to do for this connection. */
  isDoubtful: boolean
}

/** A caller that waits for a connection. */
export interface Waiter {
  /** By the clock of the watch. */
  since: number
  fail(error: Error): void
}

/**
 * Notices connections on which nothing comes back anymore, which a socket alone never tells. A slow statement is told from
 * a lost one by asking the database over a new connection: what it still works on is waited for, however long it takes.
 */
export interface DatabaseWatch {
  /** Set while the database does not answer: whoever needs it is refused at once. */
  readonly loss: Error | undefined
  /**
   * Milliseconds that this process has listened for, to a quarter of a second. A process that is busy for seconds hears nothing,
   * whatever the database says, and its own silence is no sign of a loss.
   */
  listened(): number
  add(client: pg.Client): void
  remove(client: pg.Client): void
  /** Callers that wait for a connection; they are refused when the database is away. */
  readonly waiters: Set<Waiter>
}

const lossError = (): Error =>
  Object.assign(new Error('The database did not answer in time'), { code: 'ETIMEDOUT' })

const streamOf = (client: pg.Client): Socket =>
  // `pg` has a connection with a stream; its types leave it out.
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** What the database says of its side of the connections. */
interface Seen {
  /** Those that it is working for. */
  working: Set<number>
  /** Whether process ids are the database's own: a pooler in between makes up others. */
  areIdsReal: boolean
}

/** Asks over a new connection; undefined when no answer comes in time. */
const probe = (url: string): Promise<Seen | undefined> =>
  new Promise((resolve) => {
    const client = new pg.Client({ connectionString: url, application_name: 'practicum watch' })
    client.on('error', () => {})
    let isOver = false
    const end = (seen: Seen | undefined): void => {
      if (isOver) return
      isOver = true
      clearInterval(timer)
      streamOf(client).destroy()
      resolve(seen)
    }
    // Connecting takes several turns of talk, between which a busy process does something else: it listens that many times.
    let looks = probeMs / sweepMs
    const timer = setInterval(() => {
      setImmediate(() => {
        if (--looks === 0) end(undefined)
      })
    }, sweepMs)
    const ask = async (): Promise<void> => {
      await client.connect()
      const { rows } = await client.query<{ pid: number; own: number; is_working: boolean }>(
        `select pid, pg_backend_pid() as own, state = 'active' and wait_event is distinct from 'ClientWrite' as is_working
         from pg_stat_activity where usename = current_user`,
      )
      end({
        working: new Set(rows.filter(({ is_working }) => is_working).map(({ pid }) => pid)),
        // `pg` keeps the backend's id; its types leave it out.
        areIdsReal: rows[0]?.own === (client as unknown as { processID: number }).processID,
      })
    }
    ask().catch(({ code = '' }: { code?: string }) =>
      // No free place is an answer too. Nothing is known of the connections then, so all of them are waited for.
      end(/^(53|42|28)/.test(code) ? { working: new Set(), areIdsReal: false } : undefined),
    )
  })

/** Watches the connections of all pools on one database. */
export const createWatch = (url: string, log: Log): DatabaseWatch => {
  const lines = new Map<pg.Client, Line>()
  const waiters = new Set<Waiter>()
  let loss: Error | undefined
  let isProbing = false
  let listened = 0
  let lookedAt = performance.now()

  const isDue = ({ stream, answeredAt }: Line): boolean => stream.bytesWritten > answeredAt
  const lose = (line: Line, error: Error): void => {
    lines.delete(line.client)
    line.stream.destroy(error)
  }

  const judge = (seen: Seen | undefined, received: Map<Line, number>): void => {
    // Those that were heard of since the question was put are well.
    const mute = [...lines.values()].filter((line) => received.get(line) === line.stream.bytesRead)
    if (!seen) {
      if (!loss) log.warn('The database does not answer; calls are refused until it does')
      loss = lossError()
      for (const line of mute) lose(line, loss)
      for (const waiter of [...waiters]) waiter.fail(loss)
      return
    }
    if (loss) log.info('The database answers again')
    loss = undefined
    let lost = 0
    for (const line of mute) {
      // `pg` keeps the backend's id; its types leave it out.
      const pid = (line.client as unknown as { processID: number | null }).processID
      const silence = listened - line.quietSince
      if (!isDue(line) || silence < silentMs) continue
      const isWorking = !seen.areIdsReal || pid === null || seen.working.has(pid)
      if (isWorking && silence < hopelessMs) continue
      // Its answer may be on the way; at the second look it would be here.
      if (!line.isDoubtful) line.isDoubtful = true
      else {
        lost++
        lose(line, lossError())
      }
    }
    if (lost > 0) log.warn(`${lost} database connections had been cut without a word`)
  }

  /**
   * A silent line says nothing about the others: whoever is given one later would wait for as long again. Where its statement
   * only takes long, the others are asked once.
   */
  const testIdle = (silentSince: number): void => {
    for (const line of [...lines.values()])
      if (!isDue(line) && line.heardAt <= silentSince) line.client.query('select').catch(() => {})
  }

  const sweep = (): void => {
    const now = performance.now()
    listened += Math.min(now - lookedAt, sweepMs)
    lookedAt = now
    const received = new Map<Line, number>()
    let isSuspicious = loss !== undefined
    let silentSince: number | undefined
    for (const line of lines.values()) {
      const { bytesRead } = line.stream
      received.set(line, bytesRead)
      if (bytesRead !== line.received) {
        line.received = bytesRead
        line.heardAt = listened
      } else if (isDue(line)) {
        const silence = listened - line.quietSince
        if (silence >= doubtfulMs) silentSince = Math.max(silentSince ?? 0, line.quietSince)
        if (silence >= silentMs) isSuspicious = true
        continue
      }
      line.quietSince = listened
      line.isDoubtful = false
    }
    if (silentSince !== undefined) testIdle(silentSince)
    for (const { since } of waiters) if (listened - since >= silentMs) isSuspicious = true
    if (!isSuspicious || isProbing) return
    isProbing = true
    probe(url).then((seen) => {
      judge(seen, received)
      isProbing = false
    })
  }
  // After the sockets were read: a process that was busy for seconds finds its answers there.
  setInterval(() => setImmediate(sweep), sweepMs).unref()

  return {
    get loss() {
      return loss
    },
    waiters,
    listened: () => listened,
    add: (client) => {
      const stream = streamOf(client)
      const line: Line = {
        client,
        stream,
        answeredAt: stream.bytesWritten,
        received: stream.bytesRead,
        heardAt: listened,
        quietSince: listened,
        isDoubtful: false,
      }
      lines.set(client, line)
      client.on('drain', () => {
        line.answeredAt = stream.bytesWritten
      })
    },
    remove: (client) => {
      lines.delete(client)
    },
  }
}
