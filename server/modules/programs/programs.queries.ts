import { sql } from 'kysely'
import type { College, ProgramItem } from '#contract/programs.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { User } from '#server/core/session.ts'

/** Most rows that a picker gets; more are found by typing. */
const most = 10_000

/** Colleges with a program first, by name; people of a program see their own college. */
export const listColleges = (db: Db, user: User, search?: string): Promise<College[]> =>
  db
    .selectFrom('college as c')
    .select(['c.id as Id', 'c.name as Name'])
    .where('c.deleted_at', 'is', null)
    .$if(!user.isSuperAdmin, (query) =>
      query.where(
        'c.id',
        'in',
        db
          .selectFrom('program')
          .select('college_id')
          .where('id', '=', user.ProgramId ?? 0),
      ),
    )
    .$if(Boolean(search), (query) =>
      query.where('c.name', 'ilike', `%${search!.replace(/[\\%_]/g, '\\$&')}%`),
    )
    .orderBy(sql`lower(c.name)`)
    .limit(most)
    .execute()

/** Programs that are not deleted, by college and name; people of a program see their own. */
export const listPrograms = (db: Db, user: User, collegeId?: number): Promise<ProgramItem[]> =>
  db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .select(['p.id as Id', 'p.name as Name', 'p.college_id as CollegeId', 'c.name as CollegeName'])
    .select(['p.program_type_id as ProgramTypeId', sql<boolean>`p.deleted_at is not null`.as('DelFlag')])
    .where('p.deleted_at', 'is', null)
    .$if(!user.isSuperAdmin, (query) => query.where('p.id', '=', user.ProgramId ?? 0))
    .$if(collegeId !== undefined, (query) => query.where('p.college_id', '=', collegeId!))
    .orderBy(sql`lower(c.name)`)
    .orderBy(sql`lower(p.name)`)
    .limit(most)
    .execute()
