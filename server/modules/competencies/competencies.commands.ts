import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/**
 * Takes back what an import added, except the procedures in `kept`; sections and lists go once they are empty. Its caller changes the design.
 *
 * @returns how many procedures went
 */
export const removeImported = async (
  db: Db,
  { programId, importId }: { programId: number | null; importId: number },
  kept: readonly number[],
): Promise<number> => {
  const ofRun = sql`t.program_id = ${programId} and t.import_id = ${importId} and t.deleted_at is null`
  const { numAffectedRows = 0n } =
    await sql`update skill t set deleted_at = now() where ${ofRun} and t.id <> all (${[...kept]}::bigint[])`.execute(
      db,
    )
  await sql`
    with gone as (update major_study t set deleted_at = now() where ${ofRun} and not exists (
        select from skill s where s.program_id = t.program_id and s.major_study_id = t.id and s.deleted_at is null)
      returning t.id)
    update participation_level p set deleted_at = now()
    where p.program_id = ${programId} and p.major_study_id in (select id from gone) and p.deleted_at is null`.execute(
    db,
  )
  await sql`update competency_list t set deleted_at = now() where ${ofRun}
    and not exists (select from major_study m where m.program_id = t.program_id and m.list_id = t.id and m.deleted_at is null)
    and not exists (select from competency_list_cohort c where c.program_id = t.program_id and c.list_id = t.id)`.execute(
    db,
  )
  return Number(numAffectedRows)
}
