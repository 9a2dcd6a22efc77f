import pg from 'pg'
import type { LiveEvent } from '#contract/communication/live.ts'
import { may } from '#contract/core/permissions.ts'
import type { Log } from '#server/core/database/log.ts'

/** One open stream: for whom, and how it is told. */
export interface Subscriber {
  who: {
    user: { Id: number; ProgramId: number | null; AccessLevel: number; SuperAdminAreas: number | null }
    session: { id: number; programId: number | null }
  }
  tell(event: LiveEvent): void
}

/** Passes on what any process of the installation changed (LISTEN/NOTIFY) to the streams of this one. */
export interface Live {
  /** Answers how to end it. The first subscriber opens the listening connection. */
  subscribe(subscriber: Subscriber): () => void
  countOf(accountId: number): number
  /**
   * Tells all processes soon that students of the program punched; punches of the same moment are one message. For what
   * changes so often that a NOTIFY in each transaction would make the commits wait for each other.
   */
  publishPunch(programId: number): void
  /** The same for procedures that students log and others verify. */
  publishLogs(programId: number): void
  /** The same for proofs that students send and staff decide about. */
  publishRequirements(programId: number): void
  /** Ends all streams and the listening connection; nothing can subscribe anymore. */
  close(): Promise<void>
}

const retryMs = [250, 500, 1_000, 2_000]
/** A connection that was cut without a word is noticed by this. */
const pulseMs = 1_500
const maxWaitMs = 2_000
const gatherMs = 200

const mayFollowLogs = (user: Subscriber['who']['user']): boolean =>
  may(user, 'procedure-logs.verify') || may(user, 'procedures.log')

const mayFollowRequirements = (user: Subscriber['who']['user']): boolean =>
  may(user, 'requirements.review') || may(user, 'requirements.own')

const concerns = (
  { who: { user, session } }: Subscriber,
  kind: string,
  id: number,
  account: number,
): boolean => {
  if (kind === 'session') return session.id === id
  if (kind === 'notifications') return user.ProgramId === id && (account === 0 || user.Id === account)
  if (kind === 'tasks') return user.Id === account
  if (kind === 'procedure-logs') return (session.programId ?? user.ProgramId) === id && mayFollowLogs(user)
  if (kind === 'requirements')
    return (session.programId ?? user.ProgramId) === id && mayFollowRequirements(user)
  if (kind === 'open-shifts')
    return (session.programId ?? user.ProgramId) === id && may(user, 'open-shifts.read')
  return kind === 'time-records' && session.programId === id && may(user, 'time.read')
}

/** `pool` sends what is gathered here; its own connection, opened with the first stream, listens. */
export const createLive = (databaseUrl: string, pool: pg.Pool, log: Log): Live => {
  const subscribers = new Set<Subscriber>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let attempts = 0
  let isClosed = false
  const gathered = new Set<string>()

  const sendGathered = (): void => {
    const payloads = [...gathered]
    gathered.clear()
    pool
      .query("select pg_notify('practicum_live', payload) from unnest($1::text[]) as payload", [payloads])
      .catch((error: Error) => log.warn(`What was changed is kept, but was not told live: ${error.message}`))
  }
  const gather = (payload: string): void => {
    if (isClosed) return
    if (gathered.size === 0) setTimeout(sendGathered, gatherMs).unref()
    gathered.add(payload)
  }
  const hear = (payload: string): void => {
    const [kind = '', id, account] = payload.split(':')
    for (const subscriber of subscribers)
      if (concerns(subscriber, kind, Number(id), Number(account)))
        subscriber.tell(kind === 'session' ? 'ended' : (kind as LiveEvent))
  }
  /** Nobody knows what was missed without a connection, so all look again. */
  const catchUp = (): void => {
    for (const { tell, who } of subscribers) {
      tell('notifications')
      tell('tasks')
      if (may(who.user, 'time.read')) tell('time-records')
      if (mayFollowLogs(who.user)) tell('procedure-logs')
      if (mayFollowRequirements(who.user)) tell('requirements')
      if (may(who.user, 'open-shifts.read')) tell('open-shifts')
    }
  }
  const lose = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    clearTimeout(timer)
    lost.end().catch(() => {})
    if (isClosed) return
    const wait = retryMs[Math.min(attempts++, retryMs.length - 1)]!
    timer = setTimeout(() => void listen(), wait)
    timer.unref()
  }
  const beat = (own: pg.Client): void => {
    timer = setTimeout(() => {
      own.query('select 1').then(
        () => client === own && beat(own),
        () => lose(own),
      )
    }, pulseMs)
    timer.unref()
  }
  const listen = async (): Promise<void> => {
    const own = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'practicum live',
      connectionTimeoutMillis: maxWaitMs,
      query_timeout: maxWaitMs,
      keepAlive: true,
    })
    client = own
    own.on('error', (error) => {
      log.warn(`The connection for live updates ended: ${error.message}`)
      lose(own)
    })
    own.on('end', () => lose(own))
    own.on('notification', ({ payload = '' }) => hear(payload))
    try {
      await own.connect()
      await own.query('listen practicum_live')
      attempts = 0
      if (client !== own) return
      beat(own)
      catchUp()
    } catch {
      lose(own)
    }
  }

  return {
    subscribe: (subscriber) => {
      if (isClosed) subscriber.tell('ended')
      subscribers.add(subscriber)
      if (!client && attempts === 0 && !isClosed) void listen()
      return () => subscribers.delete(subscriber)
    },
    countOf: (accountId) => {
      let count = 0
      for (const { who } of subscribers) if (who.user.Id === accountId) count++
      return count
    },
    publishPunch: (programId) => gather(`time-records:${programId}:0`),
    publishLogs: (programId) => gather(`procedure-logs:${programId}:0`),
    publishRequirements: (programId) => gather(`requirements:${programId}:0`),
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      for (const { tell } of [...subscribers]) tell('ended')
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
