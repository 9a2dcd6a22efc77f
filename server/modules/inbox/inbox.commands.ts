import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Notes that an address has its mail of a week; of several who do so at once, one may send it. */
export const takeWeek = async (db: Db, address: string, monday: string): Promise<boolean> => {
  const { rows } =
    await sql`insert into inbox_week (address, monday) values (lower(${address}), ${monday}::date)
    on conflict do nothing returning address`.execute(db)
  return rows.length > 0
}

export const keepSetting = async (
  db: Db,
  programId: number,
  isOn: boolean,
  accountId: number,
): Promise<void> => {
  await sql`insert into inbox_setting (program_id, is_on, updated_by) values (${programId}, ${isOn}, ${accountId})
    on conflict (program_id) do update set is_on = excluded.is_on, updated_at = now(), updated_by = excluded.updated_by`.execute(
    db,
  )
}

export const setExclusion = async (
  db: Db,
  programId: number,
  accountId: number,
  isOff: boolean,
  by: number,
): Promise<void> => {
  await (isOff
    ? sql`insert into inbox_exclusion (program_id, account_id, created_by) values (${programId}, ${accountId}, ${by})
        on conflict do nothing`
    : sql`delete from inbox_exclusion where program_id = ${programId} and account_id = ${accountId}`
  ).execute(db)
}
