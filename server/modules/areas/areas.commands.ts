import { sql } from 'kysely'
import type { AreaInput } from '#contract/areas/areas.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey } from '#server/core/database/rows.ts'

const values = (body: AreaInput) => ({
  name: body.Name,
  is_active: body.IsActive,
  are_notifications_enabled: body.AreNotificationsEnabled,
})

/** Adds an area; answers its id. */
export const addArea = (db: Db, programId: number, accountId: number, body: AreaInput): Promise<number> =>
  addRow(db, 'area', { program_id: programId, created_by: accountId, ...values(body) })

export const changeArea = (db: Db, key: RowKey, accountId: number, body: AreaInput): Promise<boolean> =>
  changeRow(db, 'area', key, { ...values(body), updated_at: sql`now()`, updated_by: accountId })

export const setAreaActive = (db: Db, key: RowKey, accountId: number, isActive: boolean): Promise<boolean> =>
  changeRow(db, 'area', key, { is_active: isActive, updated_at: sql`now()`, updated_by: accountId })

export const setAreaDeleted = (
  db: Db,
  key: RowKey,
  accountId: number,
  isDeleted: boolean,
): Promise<boolean> =>
  changeRow(db, 'area', key, { deleted_at: isDeleted ? sql`now()` : null, updated_by: accountId })
