import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { ImportRunScope } from '#server/core/imports/definition.ts'

/**
 * Deletes people that an import has added, but those who are kept; answers how many. Nothing of what the file said about them stays, and
 * their user names and numbers are free again. Their empty rows stay: to delete each, the database would look through seventy tables.
 */
export const deleteImported = async (
  { db, programId, importId }: ImportRunScope,
  kept: readonly number[],
): Promise<number> => {
  // Links that were mailed, and what was to be mailed of their shifts.
  for (const table of ['one_time_token', 'email_notice'])
    await sql`delete from ${sql.table(table)} where account_id in (select id from account
      where program_id = ${programId} and import_id = ${importId} and id <> all (${kept}::bigint[]))`.execute(
      db,
    )
  const { numAffectedRows = 0n } =
    await sql`update account set deleted_at = now(), user_name = 'undone' || id, first_name = '', last_name = '',
      middle_name = '', suffix = '', email = '', phone = '', zip = '', institution = '', student_number = null, cohort = null,
      password_hash = null
    where program_id = ${programId} and import_id = ${importId} and deleted_at is null
      and id <> all (${kept}::bigint[]) and access_level < ${Level.SuperAdmin}`.execute(db)
  return Number(numAffectedRows)
}
