import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isRestoredCopy } from './restored-copy.ts'
import type { WorkerServices } from './services.ts'

/** What changed of one record. `before` is null of a new record, `after` of one that is gone. */
export interface DomainEvent {
  id: number
  program_id: number
  kind: string
  record_id: number
  student_id: number
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** A run of events: in the statements of a subscriber, `$1` to `$3` of `ofBatch`. */
export type Batch = readonly [from: string, until: string, kinds: readonly string[]]

/** The events of a batch, as the condition of a statement on `domain_event e`. */
export const ofBatch = 'e.transaction >= $1::xid8 and e.transaction < $2::xid8 and e.kind = any ($3::text[])'

/** Who hears events after the change is committed, in the order in which each record changed. */
export interface Subscriber {
  name: string
  kinds: readonly string[]
  /** It reaches people or other systems, which a restored copy does not: there its events wait. */
  reachesOut?: true
  /**
   * Does what follows from a batch, in the transaction that moves the cursor: both are kept or neither.
   * The client is the owner's, whom policies do not bind: every statement joins by program.
   */
  hear(client: pg.PoolClient, batch: Batch): Promise<void>
}

/** So many events at a time, or all of one transaction. */
const batchSize = 5_000
const pauseMs = 500

/** Up to where everything is committed or undone: what is below it is complete and in order. */
const horizon = 'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon'

/** The last transaction of the next batch; null when there is nothing to hear. */
const findLast = async (client: pg.PoolClient, from: string, end: string): Promise<string | null> => {
  const { rows } = await client.query<{ last: string | null }>(
    `select max(transaction)::text as last from (
      select transaction from domain_event where transaction >= $1::xid8 and transaction < $2::xid8
      order by transaction limit $3) e`,
    [from, end, batchSize],
  )
  return rows[0]!.last
}

/** @returns whether there was anything to hear */
const hearBatch = async (client: pg.PoolClient, subscriber: Subscriber): Promise<boolean> => {
  await client.query('begin')
  try {
    const cursor = await client.query<{ transaction: string }>(
      'select transaction::text from event_cursor where subscriber = $1 for update skip locked',
      [subscriber.name],
    )
    const from = cursor.rows[0]?.transaction
    const { rows } = await client.query<{ horizon: string }>(horizon)
    const last = from && (await findLast(client, from, rows[0]!.horizon))
    if (!from || !last) {
      await client.query('rollback')
      return false
    }
    // The whole of the last transaction, however many events it has.
    const until = String(BigInt(last) + 1n)
    await subscriber.hear(client, [from, until, subscriber.kinds])
    await client.query('update event_cursor set transaction = $2::xid8 where subscriber = $1', [
      subscriber.name,
      until,
    ])
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Every process says at its start who hears: a subscriber who is new hears what changes from then on, whenever a worker begins. */
export const addSubscribers = (
  pool: Pick<pg.Pool, 'query'>,
  subscribers: readonly Subscriber[],
): Promise<unknown> =>
  pool.query(
    `insert into event_cursor (subscriber, transaction)
      select name, pg_snapshot_xmin(pg_current_snapshot()) from unnest($1::text[]) as name on conflict do nothing`,
    [subscribers.map(({ name }) => name)],
  )

/** Who has something to hear. */
const listBehind = async (pool: pg.Pool, subscribers: readonly Subscriber[]): Promise<Subscriber[]> => {
  const { rows } = await pool.query<{ subscriber: string }>(
    `select c.subscriber from event_cursor c where c.subscriber = any ($1) and exists (
      select from domain_event e where e.transaction >= c.transaction and e.transaction < pg_snapshot_xmin(pg_current_snapshot()))`,
    [subscribers.map(({ name }) => name)],
  )
  const names = new Set(rows.map(({ subscriber }) => subscriber))
  return subscribers.filter(({ name }) => names.has(name))
}

const hearAll = async (
  { everywhere, pool }: Pick<WorkerServices, 'everywhere' | 'pool'>,
  subscriber: Subscriber,
): Promise<void> => {
  if (subscriber.reachesOut && (await isRestoredCopy(pool))) return
  const client = await everywhere.connect()
  try {
    while (await hearBatch(client, subscriber));
  } finally {
    client.release()
  }
}

/** Lets each subscriber hear all that was committed before. Several processes may do so at once: each subscriber is heard by one. */
export const hearEvents = async (
  services: Pick<WorkerServices, 'everywhere' | 'pool'>,
  subscribers: readonly Subscriber[],
): Promise<void> => {
  for (const subscriber of await listBehind(services.everywhere, subscribers))
    await hearAll(services, subscriber)
}

/** Hears events as they come until it is stopped. A subscriber that fails is told to the log, and tried again beside the others. */
export const startHearing = (
  services: Pick<WorkerServices, 'everywhere' | 'pool' | 'log' | 'failures'>,
  subscribers: readonly Subscriber[],
): { stop: () => Promise<void> } => {
  const { everywhere, log, failures } = services
  const stopped = new AbortController()
  const hearNow = async (): Promise<void> => {
    for (const subscriber of await listBehind(everywhere, subscribers))
      await hearAll(services, subscriber).catch((error: Error) => {
        failures.add('job', `events:${subscriber.name}`)
        log.error(
          { err: error, subscriber: subscriber.name },
          'Events were not heard; they are kept and heard again',
        )
      })
  }
  const listen = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      // A database that is away is told by what needs it.
      await hearNow().catch(() => {})
      await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const listening = listen()
  return {
    stop: async () => {
      stopped.abort()
      await listening
    },
  }
}
