import { coreFailures } from '#contract/core/failures.ts'
import { type ProgramOptions, readOptions } from '#contract/programs/program-options.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'

/** What most calls need to know of the program that they work on. */
export interface ProgramContext {
  Id: number
  Name: string
  CollegeId: number
  CollegeName: string
  TimeZone: string
  Options: ProgramOptions
}

/** A program that is not deleted, with its options; undefined when it is not there. */
export const findProgramContext = async (
  db: Db,
  programId: number | null,
): Promise<ProgramContext | undefined> => {
  if (programId === null) return undefined
  const row = await db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .select(['p.id', 'p.name', 'p.college_id', 'c.name as college_name', 'p.time_zone', 'p.options'])
    .where('p.id', '=', programId)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      Id: row.id,
      Name: row.name,
      CollegeId: row.college_id,
      CollegeName: row.college_name,
      TimeZone: row.time_zone,
      Options: readOptions(row.options),
    }
  )
}

/**
 * The program that a call works on.
 *
 * @throws Failure 404 when it is not there
 */
export const getProgramContext = async (db: Db, programId: number | null): Promise<ProgramContext> => {
  const program = await findProgramContext(db, programId)
  if (!program) throw fail(coreFailures.no_program)
  return program
}

/** The day that it is in the program's time zone. */
export const todayOf = async (db: Db, programId: number): Promise<string> =>
  todayIn((await getProgramContext(db, programId)).TimeZone)
