import { sql } from 'kysely'
import type pg from 'pg'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface PersonRow {
  account_id: number
  program_id: number | null
  user_name: string
  access_level: number
  super_admin_areas: number | null
  is_demo: boolean
  email: string
  is_email_confirmed: boolean
  first_name: string
  last_name: string
  program_name: string | null
  college_name: string | null
  time_zone: string
  /** Only where a session was asked for. */
  language?: string | null
}

/** An active person as a session would show them, for work that goes on after they have left. */
export const findPersonRow = async (pool: pg.Pool, accountId: number): Promise<PersonRow | undefined> => {
  const [found] = await acrossPrograms(
    pool,
    sql<PersonRow>`
      select a.id as account_id, a.program_id, a.user_name, a.access_level, a.super_admin_areas, a.is_demo, a.email,
        a.is_email_confirmed, a.first_name, a.last_name, p.name as program_name, c.name as college_name,
        coalesce(p.time_zone, 'America/New_York') as time_zone
      from account a
      left join program p on p.id = a.program_id
      left join college c on c.id = p.college_id
      where a.id = ${accountId} and a.deleted_at is null and a.deactivated_at is null and a.frozen_at is null
        and (a.program_id is null or p.deleted_at is null)`,
  )
  return found
}

export const isFrozen = async (db: Db, accountId: number): Promise<boolean> =>
  (await acrossPrograms(db, sql`select from account where id = ${accountId} and frozen_at is not null`))
    .length > 0

/** Whether the program of the account was deleted. */
export const isProgramClosed = async (pool: pg.Pool, accountId: number): Promise<boolean> =>
  (
    await acrossPrograms(
      pool,
      sql`select from account a join program p on p.id = a.program_id where a.id = ${accountId} and p.deleted_at is not null`,
    )
  ).length > 0

/** Whether a new session of the account begins with the semi-hidden menu (D1-178). */
export const beginsWithHiddenMenu = async (pool: pg.Pool, accountId: number): Promise<boolean> => {
  const [found] = await acrossPrograms(
    pool,
    sql<{ isHidden: boolean }>`
      select not coalesce((preferences ->> 'IsMenuShown')::boolean, false) as "isHidden" from account where id = ${accountId}`,
  )
  return found?.isHidden ?? true
}
