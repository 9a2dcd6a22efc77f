import { sql } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { forgetOldKeys } from '#server/core/http/idempotency.ts'
import { sealAudit } from '#server/core/runtime/audit-chain.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { runRetention } from '#server/core/runtime/retention.ts'

/** The months ahead, into which the audit and the ledger of emails are written. */
const makePartitions = job({
  name: 'retention:partitions',
  payload: z.object({}).loose(),
  cron: '12 2 * * *',
  work: async (_payload, { everywhere }) => {
    await transaction(everywhere, { accountId: null, programIds: [] }, (db) =>
      sql`set local lock_timeout = '3s'`
        .execute(db)
        .then(() => sql`select make_partitions_through(now() + interval '3 months')`.execute(db)),
    )
  },
})

/** Archives and drops what the policies of retention no longer keep, as the owner: the serving role may not. */
const keepPolicies = job({
  name: 'retention:run',
  payload: z.object({}).loose(),
  cron: '37 2 * * *',
  work: async (_payload, { ownerUrl, files, log }) => {
    const client = new pg.Client({ connectionString: ownerUrl })
    // A lost connection fails the statement that needs it; by itself it must not end the process.
    client.on('error', () => {})
    await client.connect()
    try {
      for (const sentence of await runRetention(client, files)) log.info(`Retention: ${sentence}`)
    } finally {
      await client.end()
    }
  },
})

/** Seals the audit of the last day, as the owner; what is said holds the head, so that the log keeps it too. */
const sealAll = job({
  name: 'audit:seal',
  payload: z.object({}).loose(),
  cron: '7 1,2 * * *',
  work: async (_payload, { ownerUrl, files, log, config }) => {
    const client = new pg.Client({ connectionString: ownerUrl })
    // A lost connection fails the statement that needs it; by itself it must not end the process.
    client.on('error', () => {})
    await client.connect()
    try {
      log.info(`Audit: ${await sealAudit(client, files, config.secretKey)}`)
    } finally {
      await client.end()
    }
  },
})

/** Forgets keys of calls that nobody repeats any more. Keys of punches stay with their records. */
const forgetKeys = job({
  name: 'retention:keys',
  payload: z.object({}).loose(),
  cron: '42 3 * * *',
  work: async (_payload, { pool }) => {
    for (let isMore = true; isMore; ) {
      isMore = await transaction(pool, { accountId: null, programIds: [] }, forgetOldKeys)
    }
  },
})

export const retentionJobs = [makePartitions, keepPolicies, sealAll, forgetKeys]
