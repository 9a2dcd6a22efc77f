import type { SiteInput } from '#contract/sites/sites.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'
import { columnsOf } from './site-fields.rules.ts'

type Input = ReturnType<typeof SiteInput.parse>

/** The time zone of a site. */
interface Zone {
  time_zone: string
  is_dst: boolean
}

/** Adds a site without its parts; answers its id. */
export const addSite = (
  db: Db,
  programId: number,
  accountId: number,
  input: Input,
  zone: Zone | undefined,
): Promise<number> =>
  addRow(db, 'site', {
    program_id: programId,
    created_by: accountId,
    updated_by: accountId,
    ...columnsOf(input),
    ...zone,
  })

/** Changes a site, not its parts; without a zone it keeps the one that it has. */
export const changeSite = async (
  db: Db,
  { programId, id }: RowKey,
  input: Input,
  zone: Zone | undefined,
): Promise<void> => {
  await db
    .updateTable('site')
    .set({ ...columnsOf(input), ...zone })
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .execute()
}

export const setSiteDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'site', key, isDeleted)
