import type { DeclaredFailure } from '#contract/core/failure.ts'
import { programFailures } from '#contract/programs/failures.ts'
import * as contract from '#contract/programs/program-copy.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { copyBetween } from './program-copy.commands.ts'

const expectProgram = async (db: Db, programId: number, missing: DeclaredFailure): Promise<void> => {
  const program = await db
    .selectFrom('program')
    .select('id')
    .where('id', '=', programId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!program) throw fail(missing)
}

/** Copies in the call's one transaction, in the order in which the codes need each other. */
export const copyRoutes = [
  handle(contract.copyProgram, async ({ db, query, user, audit }) => {
    const { sourceProgramId, destinationProgramId, dataTypes } = query
    if (sourceProgramId === destinationProgramId)
      throw fail(programFailures.same_program, 'destinationProgramId')
    await expectProgram(db, sourceProgramId, programFailures.no_source_program)
    await expectProgram(db, destinationProgramId, programFailures.no_destination_program)
    const codes = contract.withNeeded(dataTypes)
    const Copied = await copyBetween(
      db,
      { from: sourceProgramId, to: destinationProgramId, by: user.Id },
      codes,
    )
    audit.programId = destinationProgramId
    audit.detail = {
      From: sourceProgramId,
      To: destinationProgramId,
      Copied: Object.fromEntries(Copied.map(({ Code, Count }) => [Code, Count])),
    }
    return { Copied }
  }),
]
