import { competencyFailures } from '#contract/competencies/failures.ts'
import { someone } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { LockedEntry } from './procedure-logs.queries.ts'

/** Refuses a save that started from what the entry no longer says. */
export const refuseChanged = (entry: LockedEntry, revision: number): void => {
  if (entry.revision !== revision)
    throw fail(competencyFailures.entry_changed, {
      By: entry.changedBy ?? sentence(someone),
      Procedure: entry.procedure,
    })
}

/** Refuses a decision about an entry that is decided already, or that is not what was seen. */
export const refuseUnseen = (entry: LockedEntry, revision: number): void => {
  if (entry.state !== 'submitted')
    throw fail(competencyFailures.entry_decided, {
      By: entry.decidedBy ?? sentence(someone),
      IsVerified: entry.state === 'verified',
      Procedure: entry.procedure,
    })
  refuseChanged(entry, revision)
}
