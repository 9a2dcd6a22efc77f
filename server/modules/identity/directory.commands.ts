import type { DirectoryField } from '#contract/people/directory-fields.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fieldNames } from './directory.queries.ts'

/** The fields of a person that staff write from now on, whatever the directory says of them. */
export const saveKeptFields = async (
  db: Db,
  programId: number,
  accountId: number,
  kept: readonly DirectoryField[],
): Promise<void> => {
  const names = Object.entries(fieldNames).flatMap(([name, field]) => (kept.includes(field) ? [name] : []))
  await db
    .updateTable('scim_user')
    .set({ kept: names })
    .where('program_id', '=', programId)
    .where('account_id', '=', accountId)
    .execute()
}
