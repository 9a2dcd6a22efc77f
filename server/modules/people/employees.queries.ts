import { sql } from 'kysely'
import type { Employee } from '#contract/people/employees.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

export interface EmployeeFilter {
  search: string
  SiteId?: number | undefined
  sort: string
}

const matching = (db: Db, programId: number, { search, SiteId }: Omit<EmployeeFilter, 'sort'>) =>
  db
    .selectFrom('employee as e')
    .where('e.program_id', '=', programId)
    .where('e.deleted_at', 'is', null)
    .$if(SiteId !== undefined, (query) => query.where('e.site_id', '=', SiteId!))
    .$if(search !== '', (query) =>
      query.where(
        isFound(
          sql`e.first_name || ' ' || e.last_name || ' ' || e.email || ' ' || e.registry_number`,
          search,
        ),
      ),
    )

const employees = (db: Db, programId: number, filter: EmployeeFilter) => {
  const direction = filter.sort.startsWith('-') ? 'desc' : 'asc'
  return matching(db, programId, filter)
    .innerJoin('site as s', (join) =>
      join.onRef('s.program_id', '=', 'e.program_id').onRef('s.id', '=', 'e.site_id'),
    )
    .select(['e.id as Id', 'e.site_id as SiteId', 's.name as SiteName'])
    .select(['e.first_name as FirstName', 'e.last_name as LastName', 'e.email as Email', 'e.dob as Dob'])
    .select([
      'e.hash as Hash',
      'e.updated_at as ModDate',
      'e.program_id as ProgId',
      'e.created_at as CreateDate',
    ])
    .select([
      sql<string>`coalesce((select ${personName('m')} from account m where m.id = e.updated_by), '')`.as(
        'ModBy',
      ),
      sql<boolean>`false`.as('DelFlag'),
    ])
    .select([
      'e.num_sdms as NumSdms',
      'e.num_ardms as NumArdms',
      'e.num_arrt as NumArrt',
      'e.num_cci as NumCci',
    ])
    .select(['e.num_card_up as NumCardUp', 'e.registry_number as RegistryNumber'])
    .$if(filter.sort.endsWith('Site'), (query) => query.orderBy(sql`lower(s.name)`, direction))
    .orderBy(sql`lower(e.last_name)`, direction)
    .orderBy(sql`lower(e.first_name)`, direction)
    .orderBy('e.id', direction)
}

const everyone = { search: '', sort: 'Name' }

/** All employees of a program by name. */
export const listEmployees = (db: Db, programId: number): Promise<Employee[]> =>
  employees(db, programId, everyone).execute()

/** The employees of a filter in its order, for a file. */
export const streamEmployees = (db: Db, programId: number, filter: EmployeeFilter) =>
  employees(db, programId, filter).stream(500)

export const searchEmployees = async (
  db: Db,
  programId: number,
  { page, pageSize, ...filter }: EmployeeFilter & { page: number; pageSize: number },
) => {
  const { Total } = await matching(db, programId, filter)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items = await employees(db, programId, filter)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

export const findEmployee = (db: Db, programId: number, employeeId: number): Promise<Employee | undefined> =>
  employees(db, programId, everyone).where('e.id', '=', employeeId).executeTakeFirst()
