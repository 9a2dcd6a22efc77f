import { samlFailures } from '#contract/saml/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { programExists } from './providers.queries.ts'

/**
 * A provider is linked only to a program that is there: it may have been deleted while the form was open.
 *
 * @throws Failure 422 at ProgramId
 */
export const refuseMissingProgram = async (db: Db, programId: number): Promise<void> => {
  if (await programExists(db, programId)) return
  throw fail(samlFailures.program_gone, 'ProgramId')
}
