import type { ImportKind } from '#contract/imports/import-kinds.ts'
import type { ImportResult } from '#contract/imports/imports.ts'
import { type SyncEvent, syncModules } from '#contract/imports/sync.ts'
import { transaction } from '#server/core/database/pool.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import type { ImportWork } from './import-table.service.ts'
import { insertLog } from './sync.commands.ts'
import { ignoredColumns, isTriedAgain, refusedEvent } from './sync.rules.ts'

/**
 * Runs an import and keeps one row about it in the log of data sync, also when it is refused: that row is written beside the
 * import's transaction, which is undone. Kinds that are no module of data sync leave no row.
 *
 * @throws what `run` throws
 */
export const logged = async (
  work: ImportWork,
  {
    kind,
    programId,
    source,
  }: { kind: ImportKind; programId: number; source: Pick<SyncEvent, 'Key' | 'File'> },
  run: () => Promise<ImportResult>,
): Promise<ImportResult> => {
  const module = syncModules.find(({ Name }) => Name === kind)
  if (!module) return run()
  const row = { programId, moduleId: module.Id, accountId: work.user.Id }
  try {
    const result = await run()
    const { Rows, Added, Changed, Unchanged } = result
    const ignored = ignoredColumns(result)
    await insertLog(work.db, {
      ...row,
      event: {
        Success: true,
        ...source,
        Rows,
        Added,
        Changed,
        Unchanged,
        ...(ignored.length > 0 && { Ignored: ignored }),
      },
    })
    return result
  } catch (error) {
    if (!isTriedAgain(error))
      await transaction(
        work.services.pool,
        { accountId: work.user.Id, programIds: [programId], isSuper: work.user.isSuperAdmin },
        (aside) =>
          insertLog(aside, {
            ...row,
            event: { ...source, ...refusedEvent(error instanceof Failure ? error : undefined) },
          }),
      )
    throw error
  }
}
