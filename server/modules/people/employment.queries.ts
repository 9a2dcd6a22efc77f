import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Placement } from '#contract/graduates/measures-rules.ts'
import type {
  Employment,
  EmploymentFilter,
  EmploymentRow,
  EmploymentStatus,
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

/** An alumnus or another graduate, as placement is counted: by the row among the graduates, or else by what an alumnus told. */
export interface PlacedPerson {
  Name: string
  Cohort: string
  GraduatedOn: string | null
  /** As employment calls it. */
  Status: EmploymentStatus | null
  Placement: Placement | null
  StartedWorkOn: string | null
}

/** All alumni and graduates, the latest cohort first. */
export const listPlaced = async (db: Db, programId: number): Promise<PlacedPerson[]> => {
  const { rows } = await sql<PlacedPerson>`
    with graduated as (
      select g.account_id, listed_name(g.last_name, g.first_name) as name, coalesce(nullif(g.cohort, ''), a.cohort, '') as cohort, g.graduated_on, g.placement, g.started_work_on, e.status
      from graduate g
      left join account a on a.program_id = g.program_id and a.id = g.account_id
      left join employment e on e.program_id = g.program_id and e.account_id = g.account_id
      where g.program_id = ${programId} and g.deleted_at is null and g.graduated_on is not null
        and (a.id is null or a.deleted_at is null))
    select p.name as "Name", p.cohort as "Cohort", p.graduated_on as "GraduatedOn", p.placement as "Placement", p.started_work_on as "StartedWorkOn",
      case p.placement when 'otherField' then 'other' when 'unreachable' then 'notSeeking' when 'notMoving' then 'notSeeking'
        when 'termsRefused' then 'notSeeking' else coalesce(p.placement, case when p.status = 'notSeeking' then p.status end) end as "Status"
    from (
      select name, cohort, graduated_on, placement, started_work_on, status from graduated
      union all
      select listed_name(a.last_name, a.first_name), coalesce(a.cohort, ''), null, case e.status when 'other' then 'otherField' when 'notSeeking' then null else e.status end,
        e.start_date, e.status
      from account a left join employment e on e.program_id = a.program_id and e.account_id = a.id
      where a.program_id = ${programId} and a.access_level = ${Level.Alumnus} and a.deleted_at is null
        and not exists (select from graduated g where g.account_id = a.id)) p
    order by p.cohort desc`.execute(db)
  return rows
}

/** How employment calls a placement of the graduates; what an alumnus told where there is no such row. */
const statusOf = sql<EmploymentStatus | null>`case when g.id is null or g.placement is null and e.status = 'notSeeking' then e.status
  else case g.placement when 'otherField' then 'other' when 'unreachable' then 'notSeeking' when 'notMoving' then 'notSeeking'
    when 'termsRefused' then 'notSeeking' else g.placement end end`

const sortColumns: Record<string, RawBuilder<unknown>> = {
  Name: sql`lower(a.last_name)`,
  Cohort: sql`coalesce(a.cohort, '')`,
  Status: statusOf,
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
    .leftJoin('graduate as g', (join) =>
      join
        .onRef('g.program_id', '=', 'a.program_id')
        .onRef('g.account_id', '=', 'a.id')
        .on('g.deleted_at', 'is', null)
        .on('g.graduated_on', 'is not', null),
    )
    .where('a.program_id', '=', programId)
    .where('a.access_level', '=', Who === 'alumni' ? Level.Alumnus : Level.Student)
    .where('a.deleted_at', 'is', null)
    .$if(Who === 'students', (query) => query.where('a.deactivated_at', 'is', null))
    .$if(Cohort !== undefined, (query) => query.where(sql`coalesce(a.cohort, '')`, '=', Cohort!))
    .$if(Status === 'none', (query) => query.where(statusOf, 'is', null))
    .$if(Status !== undefined && Status !== 'none', (query) =>
      query.where(statusOf, '=', Status as EmploymentStatus),
    )
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
    .select(['a.id as UserId', 'a.email as EmailAddress', 'e.start_date as StartDate'])
    .select(statusOf.as('Status'))
    .select([
      sql<string>`listed_name(a.last_name, a.first_name)`.as('Name'),
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
