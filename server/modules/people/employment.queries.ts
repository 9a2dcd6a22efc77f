import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import {
  type Employment,
  type EmploymentFilter,
  type EmploymentInput,
  type EmploymentRow,
  hasEmployer,
  type PlacementRow,
} from '#contract/people/employment.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

export const findEmployment = (
  db: Db,
  programId: number,
  accountId: number,
): Promise<Employment | undefined> =>
  db
    .selectFrom('employment as e')
    .innerJoin('program as p', 'p.id', 'e.program_id')
    .select(['e.status as Status', 'e.employer as Employer', 'e.position as Position'])
    .select(['e.start_date as StartDate', 'e.credential as Credential', 'e.may_contact as MayContact'])
    .select(sql<string>`(e.updated_at at time zone p.time_zone)::date`.as('UpdatedOn'))
    .where('e.program_id', '=', programId)
    .where('e.account_id', '=', accountId)
    .executeTakeFirst() as Promise<Employment | undefined>

export const saveEmployment = async (
  db: Db,
  programId: number,
  accountId: number,
  input: EmploymentInput,
): Promise<void> => {
  const hasJob = hasEmployer(input.Status)
  const row = {
    status: input.Status,
    employer: hasJob ? input.Employer : '',
    position: hasJob ? input.Position : '',
    start_date: hasJob ? input.StartDate : null,
    credential: input.Credential,
    may_contact: input.MayContact,
    updated_by: accountId,
  }
  await db
    .insertInto('employment')
    .values({ program_id: programId, account_id: accountId, ...row })
    .onConflict((conflict) => conflict.columns(['program_id', 'account_id']).doUpdateSet(row))
    .execute()
}

/** The alumni counted by cohort, the latest cohort first. */
export const countPlacement = async (db: Db, programId: number): Promise<Omit<PlacementRow, 'Rate'>[]> => {
  const of = (status: string): RawBuilder<number> => sql`count(*) filter (where e.status = ${status})`
  const { rows } = await sql<Omit<PlacementRow, 'Rate'>>`
    select coalesce(a.cohort, '') as "Cohort", count(*) as "Graduates", ${of('field')} as "Field",
      ${of('other')} as "Other", ${of('seeking')} as "Seeking", ${of('education')} as "Education",
      ${of('military')} as "Military", ${of('notSeeking')} as "NotSeeking",
      count(*) filter (where e.status is null) as "Unknown"
    from account a left join employment e on e.program_id = a.program_id and e.account_id = a.id
    where a.program_id = ${programId} and a.access_level = ${Level.Alumnus} and a.deleted_at is null
    group by 1 order by 1 desc`.execute(db)
  return rows
}

const sortColumns: Record<string, RawBuilder<unknown>> = {
  Name: sql`lower(a.last_name)`,
  Cohort: sql`coalesce(a.cohort, '')`,
  Status: sql`e.status`,
  Employer: sql`nullif(lower(e.employer), '')`,
  StartDate: sql`e.start_date`,
  UpdatedOn: sql`e.updated_at`,
}

const people = (db: Db, programId: number, filter: EmploymentFilter) => {
  const { Cohort, Status, Who, search } = filter
  return db
    .selectFrom('account as a')
    .leftJoin('employment as e', (join) =>
      join.onRef('e.program_id', '=', 'a.program_id').onRef('e.account_id', '=', 'a.id'),
    )
    .where('a.program_id', '=', programId)
    .where('a.access_level', '=', Who === 'alumni' ? Level.Alumnus : Level.Student)
    .where('a.deleted_at', 'is', null)
    .$if(Who === 'students', (query) => query.where('a.deactivated_at', 'is', null))
    .$if(Cohort !== undefined, (query) => query.where(sql`coalesce(a.cohort, '')`, '=', Cohort!))
    .$if(Status === 'none', (query) => query.where('e.status', 'is', null))
    .$if(Status !== undefined && Status !== 'none', (query) => query.where('e.status', '=', Status!))
    .$if(search !== '', (query) =>
      query.where(
        isFound(
          sql`a.first_name || ' ' || a.last_name || ' ' || a.email || ' ' || coalesce(e.employer, '')`,
          search,
        ),
      ),
    )
}

const sorted = (db: Db, programId: number, filter: EmploymentFilter) => {
  const column = sortColumns[filter.sort.replace('-', '')]!
  return people(db, programId, filter)
    .select(['a.id as UserId', 'a.email as EmailAddress', 'e.status as Status', 'e.start_date as StartDate'])
    .select([
      sql<string>`a.last_name || ', ' || a.first_name`.as('Name'),
      sql<boolean>`a.access_level = ${Level.Alumnus}`.as('IsAlumnus'),
      sql<string>`coalesce(a.cohort, '')`.as('Cohort'),
      sql<string>`coalesce(e.employer, '')`.as('Employer'),
      sql<string>`coalesce(e.position, '')`.as('Position'),
      sql<string>`coalesce(e.credential, '')`.as('Credential'),
      sql<boolean>`coalesce(e.may_contact, false)`.as('MayContact'),
      sql<
        string | null
      >`(e.updated_at at time zone (select time_zone from program where id = a.program_id))::date`.as(
        'UpdatedOn',
      ),
    ])
    .orderBy(sql`${column} ${sql.raw(filter.sort.startsWith('-') ? 'desc' : 'asc')} nulls last`)
    .orderBy(sql`lower(a.last_name)`)
    .orderBy(sql`lower(a.first_name)`)
    .orderBy('a.id')
}

export const pageEmployment = async (
  db: Db,
  programId: number,
  filter: EmploymentFilter & { page: number; pageSize: number },
) => {
  const { Total } = await people(db, programId, filter)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items = (await sorted(db, programId, filter)
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize)
    .execute()) as EmploymentRow[]
  return { Items, Total, Page: filter.page, PageSize: filter.pageSize }
}

export const streamEmployment = (
  db: Db,
  programId: number,
  filter: EmploymentFilter,
): AsyncIterable<EmploymentRow> =>
  // Kysely loses the row's type where columns are raw SQL.
  sorted(db, programId, filter).stream(500) as unknown as AsyncIterable<EmploymentRow>
