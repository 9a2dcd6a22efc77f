import type { SyncEvent } from '#contract/imports/sync.ts'
import type { Db } from '#server/core/database/pool.ts'

export const insertLog = async (
  db: Db,
  log: { programId: number; moduleId: number; accountId: number; event: SyncEvent },
): Promise<void> => {
  await db
    .insertInto('sync_log')
    .values({
      program_id: log.programId,
      module_id: log.moduleId,
      account_id: log.accountId,
      event: JSON.stringify(log.event),
    })
    .execute()
}
