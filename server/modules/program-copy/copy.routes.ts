import * as contract from '#contract/programs/program-copy.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { notFound, ruleBroken } from '#server/core/runtime/failure.ts'
import { copyBetween } from './program-copy.commands.ts'

const expectProgram = async (db: Db, programId: number, what: string): Promise<void> => {
  const program = await db
    .selectFrom('program')
    .select('id')
    .where('id', '=', programId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!program) throw notFound(what)
}

/** Copies in the call's one transaction, in the order in which the codes need each other. */
export const copyRoutes = [
  handle(contract.copyProgram, async ({ db, query, user, audit }) => {
    const { sourceProgramId, destinationProgramId, dataTypes } = query
    if (sourceProgramId === destinationProgramId)
      throw ruleBroken('same_program', contract.sameProgramMessage, 'destinationProgramId')
    await expectProgram(db, sourceProgramId, 'The source program')
    await expectProgram(db, destinationProgramId, 'The destination program')
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
