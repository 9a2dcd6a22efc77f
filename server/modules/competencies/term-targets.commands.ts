import { sql } from 'kysely'
import type { TermTarget } from '#contract/competencies/pace-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Puts these targets in the place of those that a list has. */
export const replaceTermTargets = async (
  db: Db,
  programId: number,
  listId: number,
  targets: readonly TermTarget[],
): Promise<void> => {
  await sql`delete from competency_term_target where program_id = ${programId} and list_id = ${listId}`.execute(
    db,
  )
  if (targets.length === 0) return
  await sql`
    insert into competency_term_target (program_id, list_id, name, cohort, from_date, through_date, exams)
    select ${programId}, ${listId}, t."Name", t."Cohort", t."FromDate", t."ThroughDate", t."Exams"
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb)
      as t ("Name" text, "Cohort" text, "FromDate" date, "ThroughDate" date, "Exams" smallint)`.execute(db)
}
