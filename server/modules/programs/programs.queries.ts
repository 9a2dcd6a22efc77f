import { sql } from 'kysely'
import type * as contract from '#contract/programs/programs.ts'
import type { User } from '#server/core/auth/session.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** Most rows that a picker gets; more are found by typing. */
const most = 10_000

/** The colleges by name; people of a program see their own. */
export const listColleges = (db: Db, user: User, search?: string): Promise<contract.College[]> =>
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
    .where(isFound(sql`c.name`, search ?? ''))
    .orderBy(sql`lower(c.name)`)
    .limit(most)
    .execute()

const programCount = sql<number>`(select count(*) from program p where p.college_id = c.id and p.deleted_at is null)`

export const searchColleges = async (
  db: Db,
  { search, sort, page, pageSize }: { search: string; sort: string; page: number; pageSize: number },
) => {
  const matching = db
    .selectFrom('college as c')
    .where('c.deleted_at', 'is', null)
    .$if(search !== '', (query) =>
      query.where(isFound(sql`c.name || ' ' || c.city || ' ' || c.state`, search)),
    )
  const { Total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const columns = { Name: sql`lower(c.name)`, State: sql`c.state`, ProgramCount: programCount }
  const Items = await matching
    .select(['c.id as Id', 'c.name as Name', 'c.city as City', 'c.state as State', 'c.website as Website'])
    .select(programCount.as('ProgramCount'))
    .orderBy(columns[sort.replace('-', '') as keyof typeof columns], sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('c.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

export const findCollege = (db: Db, collegeId: number): Promise<contract.CollegeDetail | undefined> =>
  db
    .selectFrom('college')
    .select([
      'id as Id',
      'name as Name',
      'address as Address',
      'city as City',
      'state as State',
      'zip as Zip',
    ])
    .select(['phone as Phone', 'website as Website', 'latitude as Latitude', 'longitude as Longitude'])
    .select('ipeds_id as IpedsId')
    .where('id', '=', collegeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Programs that are not deleted, by college and name; people of a program see their own. */
export const listPrograms = (db: Db, user: User, collegeId?: number): Promise<contract.ProgramItem[]> =>
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

export const findProgram = (db: Db, programId: number): Promise<contract.ProgramDetail | undefined> =>
  db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .select([
      'p.id as Id',
      'p.college_id as CollegeId',
      'c.name as CollegeName',
      'p.name as Name',
      'p.modality_id as ModalityId',
    ])
    .select([
      'p.program_class_id as ProgramClassId',
      'p.program_type_id as ProgramTypeId',
      'p.state as State',
    ])
    .select([
      'p.language_profile_id as LanguageProfileId',
      'p.time_zone as TimeZone',
      'p.has_credit as HasCredit',
    ])
    .select([
      'p.requires_totp as RequiresTotp',
      'p.is_payment_enabled as HasPayments',
      'p.active_from as ActiveFrom',
    ])
    .select(['p.active_through as ActiveThrough', sql<boolean>`p.deleted_at is not null`.as('DelFlag')])
    .where('p.id', '=', programId)
    .executeTakeFirst()

export const isProgramNameTaken = (
  db: Db,
  collegeId: number,
  name: string,
  exceptId: number,
): Promise<boolean> =>
  isNameTaken(db, { table: 'program', within: sql`college_id = ${collegeId}` }, name, exceptId)

const modalities = (db: Db) =>
  db
    .selectFrom('modality as m')
    .select(['m.id as Id', 'm.name as Name', sql<boolean>`m.deleted_at is not null`.as('DelFlag')])
    .select(
      sql<number>`(select count(*) from program p where p.modality_id = m.id and p.deleted_at is null)`.as(
        'ProgramCount',
      ),
    )

export const listModalities = (db: Db): Promise<contract.Modality[]> =>
  modalities(db).where('m.deleted_at', 'is', null).orderBy('m.id').execute()

/** A modality by its id, deleted or not. */
export const findModality = (db: Db, id: number): Promise<contract.Modality | undefined> =>
  modalities(db).where('m.id', '=', id).executeTakeFirst()

export const isModalityNameTaken = (db: Db, name: string, exceptId: number): Promise<boolean> =>
  isNameTaken(db, { table: 'modality' }, name, exceptId)
