import type pg from 'pg'
import type { Logger } from 'pino'
import type { LoadedConfig } from '#server/core/config/config.ts'
import type { Replica } from '#server/core/database/replica.ts'
import type { FailureCounts } from './failure-counts.ts'
import type { FileStore } from './file-store.ts'
import type { HeavyLanes } from './heavy-calls.ts'
import type { IpAccess } from './ip-access.ts'
import type { Live } from './live.ts'
import type { Tracing } from './tracing.ts'

/** What every handler may use besides its transaction. Nothing here remembers anything that another process needs. */
export interface Services {
  config: LoadedConfig
  /** Where calls have their transactions. */
  transactions: pg.Pool
  /**
   * For what must hold outside the call's transaction: throttles, sessions, refused sign-ins. A pool of its own, so that
   * calls that all hold a transaction never wait for each other's second connection.
   */
  pool: pg.Pool
  log: Logger
  files: FileStore
  /** Tells the streams of this process what any process changed. */
  live: Live
  /** Who may reach the product from which addresses. */
  ipAccess: IpAccess
  /** What fails is counted here, for the people who run the installation. */
  failures: FailureCounts
  /** Where heavy calls wait their turn; each process has its own. */
  heavyCalls: HeavyLanes
  /** Only where there is one: reports are read from it. */
  replica?: Replica | undefined
  /** Only where traces are sent somewhere. */
  tracing?: Tracing | undefined
  /** Public address without a slash at the end, such as https://practicum.example.edu or http://127.0.0.1:8080. */
  publicUrl: () => string
}

/** What jobs may use besides; calls and tasks are without. */
export interface WorkerServices extends Services {
  /** For what changes tables themselves, which the serving role may not. */
  ownerUrl: string
  /**
   * As the owner of the tables, whom row-level security does not bind: to look through all programs for those with something to do, or to
   * tidy all of them. What a job then does in a program it does in `pool`, as everybody.
   */
  everywhere: pg.Pool
}
