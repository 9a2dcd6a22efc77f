import { sql } from 'kysely'
import type { TestAccessRow, TestMode } from '#contract/identity/test-access.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** Most rows at once; more are found by searching. */
const most = 10_000

export const rows = (db: Db) =>
  db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .leftJoin(
      sql<{ program_id: number; has_coord: boolean; has_admin: boolean }>`test_user_access()`.as('t'),
      't.program_id',
      'p.id',
    )
    .select(['p.id as ProgramId', 'c.name as CollegeName', 'p.name as ProgramName'])
    .select([
      sql<boolean>`coalesce(t.has_coord, false)`.as('HasCoordAccess'),
      sql<boolean>`coalesce(t.has_admin, false)`.as('HasAdminAccess'),
    ])
    .where('p.deleted_at', 'is', null)

export const listTestAccess = (db: Db, search: string): Promise<TestAccessRow[]> =>
  rows(db)
    .$if(search !== '', (query) =>
      query.where(
        sql<boolean>`(${isFound(sql`c.name || ' - ' || p.name`, search)} or p.id::text = ${search.trim()})`,
      ),
    )
    .orderBy(sql`lower(c.name)`)
    .orderBy(sql`lower(p.name)`)
    .orderBy('p.id')
    .limit(most)
    .execute()

export const findTestAccess = (db: Db, programId: number): Promise<TestAccessRow | undefined> =>
  rows(db).where('p.id', '=', programId).executeTakeFirst()

/** Holds the program until the end of the call, so that two who switch at once do it one after the other. */
export const lockProgram = async (db: Db, programId: number): Promise<void> => {
  await sql`select from program where id = ${programId} for update`.execute(db)
}

/** The program's test user of this kind, whether admitted or not. */
export const findTestUser = (
  db: Db,
  programId: number,
  mode: TestMode,
): Promise<{ Id: number; IsAdmitted: boolean } | undefined> =>
  db
    .selectFrom('account')
    .select(['id as Id', sql<boolean>`deactivated_at is null`.as('IsAdmitted')])
    .where('program_id', '=', programId)
    .where('test_mode', '=', mode)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
