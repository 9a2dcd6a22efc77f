import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Where a record with this number is; of any program: whoever verifies a record knows its number and not its program. */
export const findByNumber = async (
  db: Db,
  number: string,
): Promise<{ programId: number; recordId: number } | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<{ programId: number; recordId: number }>`
      select program_id as "programId", id as "recordId" from clinical_record where number = ${number}`,
  )
  return found
}

export interface EndedRecord {
  number: string
  endedAt: Date
  isReplaced: boolean
}

/** What a college has taken back, for whoever checks a credential: numbers and days, nobody's name. */
export const listEndedRecords = (db: Db, collegeId: number): Promise<EndedRecord[]> =>
  acrossPrograms(
    db,
    sql<EndedRecord>`
      select number, coalesce(revoked_at, replaced_at) as "endedAt", replaced_at is not null as "isReplaced"
      from clinical_record where college_id = ${collegeId} and (revoked_at is not null or replaced_at is not null)
      order by 2, 1`,
  )
