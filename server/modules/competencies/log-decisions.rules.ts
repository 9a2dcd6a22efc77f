import { conflict } from '#server/core/runtime/failure.ts'
import type { LockedEntry } from './procedure-logs.queries.ts'

/** Refuses a save that started from what the entry no longer says. */
export const refuseChanged = (entry: LockedEntry, revision: number): void => {
  if (entry.revision !== revision)
    throw conflict(
      'stale',
      `${entry.changedBy ?? 'Someone'} changed ${entry.procedure} after you opened it. Nothing was saved; look at it again.`,
    )
}

/** Refuses a decision about an entry that is decided already, or that is not what was seen. */
export const refuseUnseen = (entry: LockedEntry, revision: number): void => {
  if (entry.state !== 'submitted')
    throw conflict(
      'decided',
      `${entry.decidedBy ?? 'Someone'} has ${entry.state} ${entry.procedure} already. Nothing was changed.`,
    )
  refuseChanged(entry, revision)
}
