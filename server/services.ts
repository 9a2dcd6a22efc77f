import type { LoadedConfig } from '#server/core/config/config.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { createFailureCounts } from '#server/core/runtime/failure-counts.ts'
import { tellingFailures } from '#server/core/runtime/file-store.ts'
import { createHeavyLanes } from '#server/core/runtime/heavy-calls.ts'
import { createIpAccess } from '#server/core/runtime/ip-access.ts'
import { createLive } from '#server/core/runtime/live.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import type { Services } from '#server/core/runtime/services.ts'
import type { Tracing } from '#server/core/runtime/tracing.ts'
import { createPool } from './core/database/pool.ts'
import { openReplica } from './core/database/replica.ts'
import { watchSlowStatements } from './core/database/statements.ts'
import { createWatch } from './core/database/watch.ts'

/** Opens what every handler may use. Each step leaves in `undo` how it is closed. */
export const openServices = async (
  config: LoadedConfig,
  log: Services['log'],
  {
    databaseUrl,
    readUrl,
    connections,
    watch = createWatch(databaseUrl, log),
    tracing,
    publicUrl = () => config.appUrl ?? '',
  }: {
    databaseUrl: string
    readUrl?: string | undefined
    connections: { transactions: number; pool: number }
    watch?: ReturnType<typeof createWatch>
    tracing?: Tracing | undefined
    publicUrl?: () => string
  },
  undo: (() => Promise<unknown>)[],
): Promise<Services> => {
  const files = tellingFailures(await openFileStore(config.filesUrl), (error) =>
    log.error({ err: error }, 'The file store failed'),
  )
  const statements = watchSlowStatements(log, metrics.slowStatement)
  const transactions = createPool(databaseUrl, log, connections.transactions, watch, statements)
  undo.push(() => transactions.end())
  const pool = createPool(databaseUrl, log, connections.pool, watch)
  undo.push(() => pool.end())
  const replica = readUrl === undefined ? undefined : openReplica(readUrl, pool, log)
  if (replica) undo.push(() => replica.stop())
  const failures = createFailureCounts(pool, log)
  undo.push(() => failures.close())
  return {
    config,
    transactions,
    pool,
    log,
    files,
    live: createLive(databaseUrl, pool, log),
    ipAccess: createIpAccess(pool, files, log),
    failures,
    heavyCalls: createHeavyLanes(),
    tracing,
    replica,
    publicUrl,
  }
}
