import { sql } from 'kysely'
import type { IncidentKind } from '#contract/safety/incidents.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Whether it was kept; false where one holds already. */
export const insertDeclaration = async (
  db: Db,
  row: { programId: number; studentId: number; on: string; text: string; name: string; from: string },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into pregnancy_declaration (program_id, student_id, conceived_on, text, signed_name, signed_from)
    values (${row.programId}, ${row.studentId}, ${row.on}, ${row.text}, ${row.name}, ${row.from})
    on conflict (program_id, student_id) where withdrawn_at is null do nothing`.execute(db)
  return numAffectedRows === 1n
}

export const withdrawDeclared = async (
  db: Db,
  { programId, studentId, name }: { programId: number; studentId: number; name: string },
): Promise<boolean> => {
  const { numAffectedRows } =
    await sql`update pregnancy_declaration set withdrawn_at = now(), withdrawal_name = ${name}
    where program_id = ${programId} and student_id = ${studentId} and withdrawn_at is null`.execute(db)
  return numAffectedRows === 1n
}

export const setOfficers = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  await sql`delete from radiation_officer where program_id = ${programId}`.execute(db)
  await sql`insert into radiation_officer (program_id, account_id)
    select ${programId}, id from (select distinct unnest(${[...ids]}::bigint[]) as id) n`.execute(db)
}

/** Whether it is new; false for a key that was kept before. */
export const insertIncident = async (
  db: Db,
  row: {
    programId: number
    studentId: number
    key: string
    kind: IncidentKind
    on: string
    siteId: number | null
    description: string
    action: string
    told: string
  },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into incident_report (program_id, student_id, key, kind, occurred_on, site_id, description, action_taken, told)
    values (${row.programId}, ${row.studentId}, ${row.key}::uuid, ${row.kind}, ${row.on}, ${row.siteId}, ${row.description},
      ${row.action}, ${row.told})
    on conflict (program_id, student_id, key) do nothing`.execute(db)
  return numAffectedRows === 1n
}

export const closeReport = async (
  db: Db,
  {
    programId,
    incidentId,
    by,
    followUp,
  }: { programId: number; incidentId: number; by: number; followUp: string },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`update incident_report
    set state = 'closed', follow_up = ${followUp}, closed_at = now(), closed_by = ${by}
    where program_id = ${programId} and id = ${incidentId} and state = 'open'`.execute(db)
  return numAffectedRows === 1n
}
