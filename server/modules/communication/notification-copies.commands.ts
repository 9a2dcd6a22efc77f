import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey } from '#server/core/database/rows.ts'

/** Who gets copies, of one area or of all. */
export interface Wanted {
  UserId: number
  AreaId: number | null
}

export const addCopy = (
  db: Db,
  programId: number,
  accountId: number,
  { UserId, AreaId }: Wanted,
): Promise<number> =>
  addRow(db, 'notification_copy', {
    program_id: programId,
    account_id: UserId,
    area_id: AreaId,
    created_by: accountId,
  })

export const changeCopy = (db: Db, key: RowKey, { UserId, AreaId }: Wanted): Promise<boolean> =>
  changeRow(db, 'notification_copy', key, { account_id: UserId, area_id: AreaId })

export const deleteCopy = async (db: Db, { programId, id }: RowKey): Promise<void> => {
  await db.deleteFrom('notification_copy').where('program_id', '=', programId).where('id', '=', id).execute()
}
