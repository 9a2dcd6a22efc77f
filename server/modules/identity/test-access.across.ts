import { sql } from 'kysely'
import type { TestAccessRow } from '#contract/identity/test-access.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** Most rows at once; more are found by searching. */
const most = 10_000

const rows = (db: Db) =>
  db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .leftJoin(
      sql<{ program_id: number; has_coord: boolean; has_admin: boolean }>`(
        select program_id, bool_or(test_mode = 'coord') as has_coord, bool_or(test_mode = 'admin') as has_admin
        from account where test_mode is not null and deleted_at is null and deactivated_at is null group by program_id)`.as(
        't',
      ),
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
  acrossPrograms(
    db,
    rows(db)
      .$if(search !== '', (query) =>
        query.where(
          sql<boolean>`(${isFound(sql`c.name || ' - ' || p.name`, search)} or p.id::text = ${search.trim()})`,
        ),
      )
      .orderBy(sql`lower(c.name)`)
      .orderBy(sql`lower(p.name)`)
      .orderBy('p.id')
      .limit(most),
  )

export const findTestAccess = async (db: Db, programId: number): Promise<TestAccessRow | undefined> =>
  (await acrossPrograms(db, rows(db).where('p.id', '=', programId)))[0]
