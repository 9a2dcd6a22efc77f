import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/people/people.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { type ReadyJson, rowsAsJson } from '#server/core/http/ready-json.ts'
import { findDirectory } from '../identity/directory.queries.ts'

/** Most rows that a picker gets. */
const most = 5_000

/**
 * The people of a program that a supervisor may see: students who have or had a shift at one of their sites, and themselves.
 * Everybody else who reads people sees the whole program.
 */
export interface Viewer {
  Id: number
  AccessLevel: number
}
const isLimited = ({ AccessLevel }: Viewer): boolean => AccessLevel < Level.Faculty
const visible = (viewer: Viewer) => sql<boolean>`(a.id = ${viewer.Id} or exists (
  select from shift_assignment sa join supervisor_site s on s.program_id = sa.program_id and s.site_id = sa.site_id
  where sa.program_id = a.program_id and sa.student_id = a.id and s.account_id = ${viewer.Id} and sa.removed_at is null))`

const containsWords = (words: string) =>
  isFound(
    sql`a.first_name || ' ' || a.last_name || ' ' || a.user_name || ' ' || a.email || ' ' || coalesce(a.student_number, '')`,
    words,
  )

const people = (db: Db, programId: number, viewer: Viewer) =>
  db
    .selectFrom('account as a')
    .where('a.program_id', '=', programId)
    .where('a.deleted_at', 'is', null)
    .$if(isLimited(viewer), (query) => query.where(visible(viewer)))

/** People for the pickers, as JSON: a large program has thousands of students. */
export const listUsers = (
  db: Db,
  programId: number,
  viewer: Viewer,
  level?: number,
): Promise<ReadyJson<contract.UserItem[]>> =>
  rowsAsJson(
    db,
    contract.UserItem,
    people(db, programId, viewer)
      .select([
        'a.id as Id',
        'a.first_name as FirstName',
        'a.last_name as LastName',
        'a.user_name as UserName',
      ])
      .select([
        'a.email as EmailAddress',
        'a.access_level as AccessLevel',
        'a.student_level_id as StudentLevelId',
      ])
      .where('a.deactivated_at', 'is', null)
      .$if(level !== undefined, (query) => query.where('a.access_level', '=', level!)),
    { order: sql`lower("LastName"), lower("FirstName"), "Id"`, most },
  )

/** Active people whose name, email or student ID contains the words, by name: the first few, for the finder. */
export const findPeople = (
  db: Db,
  programId: number,
  viewer: Viewer,
  words: string,
  most: number,
): Promise<{ Id: number; Name: string; AccessLevel: number; Detail: string }[]> =>
  people(db, programId, viewer)
    .select(['a.id as Id', 'a.access_level as AccessLevel', 'a.user_name as Detail'])
    .select(sql<string>`trim(a.first_name || ' ' || a.last_name)`.as('Name'))
    .where('a.deactivated_at', 'is', null)
    .where(containsWords(words))
    .orderBy(sql`lower(a.last_name)`)
    .orderBy(sql`lower(a.first_name)`)
    .orderBy('a.id')
    .limit(most)
    .execute()

export interface UserFilter {
  search: string
  AccessLevels: number[]
  AreaIds: number[]
  StudentLevelIds: number[]
  Cohort?: string | undefined
  IsActive: boolean
  sort: string
  page: number
  pageSize: number
}

const sortColumns = {
  LastName: sql`lower(a.last_name)`,
  FirstName: sql`lower(a.first_name)`,
  UserName: sql`lower(a.user_name) collate alphabetical`,
  AccessLevel: sql`a.access_level`,
  StudentNumber: sql`a.student_number`,
  Cohort: sql`a.cohort`,
}

export const searchUsers = async (db: Db, programId: number, viewer: Viewer, filter: UserFilter) => {
  const matching = people(db, programId, viewer)
    .where('a.deactivated_at', filter.IsActive ? 'is' : 'is not', null)
    .$if(filter.search !== '', (query) => query.where(containsWords(filter.search)))
    .$if(filter.AccessLevels.length > 0, (query) => query.where('a.access_level', 'in', filter.AccessLevels))
    .$if(filter.AreaIds.length > 0, (query) => query.where('a.area_id', 'in', filter.AreaIds))
    .$if(filter.StudentLevelIds.length > 0, (query) =>
      query.where(sql<boolean>`a.student_level_id = any (${filter.StudentLevelIds}::bigint[])`),
    )
    .$if(filter.Cohort !== undefined, (query) => query.where('a.cohort', '=', filter.Cohort!))
  const { Total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items = await matching
    .leftJoin('area as r', (join) =>
      join.onRef('r.program_id', '=', 'a.program_id').onRef('r.id', '=', 'a.area_id'),
    )
    .leftJoin('student_level as l', (join) =>
      join.onRef('l.program_id', '=', 'a.program_id').onRef('l.id', '=', 'a.student_level_id'),
    )
    .select(['a.id as Id', 'a.first_name as FirstName', 'a.last_name as LastName', 'a.user_name as UserName'])
    .select([
      'a.email as EmailAddress',
      'a.access_level as AccessLevel',
      'a.student_level_id as StudentLevelId',
    ])
    .select([
      'a.student_number as StudentNumber',
      'a.area_id as AreaId',
      'r.name as Area',
      'l.name as StudentLevel',
    ])
    .select(['a.cohort as Cohort', sql<boolean>`a.deactivated_at is null`.as('IsActive')])
    .select('a.leaves_on as LeavesOn')
    .select(['a.is_email_confirmed as IsEmailAddressConfirmed'])
    .select(sql<boolean>`a.totp_secret is not null`.as('HasAuthenticator'))
    .select(sql<boolean>`a.frozen_at is not null`.as('IsFrozen'))
    .orderBy(
      sortColumns[filter.sort.replace('-', '') as keyof typeof sortColumns],
      filter.sort.startsWith('-') ? 'desc' : 'asc',
    )
    .orderBy(sql`lower(a.last_name)`)
    .orderBy(sql`lower(a.first_name)`)
    .orderBy('a.id')
    .limit(filter.pageSize)
    .offset((filter.page - 1) * filter.pageSize)
    .execute()
  return { Items, Total, Page: filter.page, PageSize: filter.pageSize }
}

export const findUser = async (
  db: Db,
  programId: number,
  viewer: Viewer,
  userId: number,
): Promise<contract.UserDetail | undefined> => {
  const found = await people(db, programId, viewer)
    .select([
      'a.id as Id',
      'a.user_name as UserName',
      'a.first_name as FirstName',
      'a.middle_name as MiddleName',
    ])
    .select([
      'a.last_name as LastName',
      'a.suffix as Suffix',
      'a.institution as Institution',
      'a.zip as ZipCode',
    ])
    .select([
      'a.phone as PhoneNumber',
      'a.email as EmailAddress',
      'a.area_id as AreaId',
      'a.access_level as AccessLevel',
    ])
    .select([
      'a.student_number as StudentNumber',
      'a.student_level_id as StudentLevelId',
      'a.cohort as Cohort',
    ])
    .select([
      sql<boolean>`a.deactivated_at is null`.as('IsActive'),
      sql<boolean>`a.test_mode is not null`.as('IsTestUser'),
    ])
    .select(
      sql<number[]>`coalesce((select json_agg(s.site_id order by s.site_id) from supervisor_site s
        where s.program_id = a.program_id and s.account_id = a.id), '[]')`.as('SupervisorSiteIds'),
    )
    .where('a.id', '=', userId)
    .executeTakeFirst()
  return found && { ...found, Directory: await findDirectory(db, programId, userId) }
}

/** Another active student with this student ID, if there is one. */
export const findStudentByNumber = (db: Db, programId: number, number: string, exceptId: number) =>
  db
    .selectFrom('account')
    .select(['id', 'first_name', 'last_name'])
    .where('program_id', '=', programId)
    .where('student_number', '=', number)
    .where('access_level', '=', Level.Student)
    .where('deleted_at', 'is', null)
    .where('id', '!=', exceptId)
    .executeTakeFirst()

export const listStudentLevels = (db: Db, programId: number) =>
  db
    .selectFrom('student_level')
    .select(['id as Id', 'program_id as ProgId', 'name as Name'])
    .where('program_id', '=', programId)
    .orderBy('id')
    .execute()

export const listCohorts = async (db: Db, programId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('account')
    .select('cohort')
    .distinct()
    .where('program_id', '=', programId)
    .where('cohort', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('cohort', 'desc')
    .execute()
  // The query leaves out people without a cohort.
  return rows.map(({ cohort }) => cohort!)
}
