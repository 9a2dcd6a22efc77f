import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface Reader {
  Id: number
  FirstName: string
  Name: string
  Email: string
}

/** Whom a guide reaches: coordinators, directors and administrators, who set the program up; faculty where there is none. */
export const listReaders = async (db: Db, programId: number): Promise<Reader[]> => {
  const { rows } = await sql<Reader>`
    select id as "Id", first_name as "FirstName", trim(first_name || ' ' || last_name) as "Name", email as "Email" from (
      select id, first_name, last_name, email, access_level >= ${Level.Coord} as is_lead,
        bool_or(access_level >= ${Level.Coord}) over () as has_lead
      from account where program_id = ${programId} and access_level between ${Level.Faculty} and ${Level.Admin}
        and email <> '' and deleted_at is null and deactivated_at is null) a
    where is_lead = has_lead order by lower(last_name), lower(first_name), id`.execute(db)
  return rows
}

/** Waits until no other mailing of guides to the program is under way, so that nobody gets the same guide twice. */
export const awaitMailing = async (db: Db, programId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`feature-emails:${programId}`}, 0))`.execute(db)
}
