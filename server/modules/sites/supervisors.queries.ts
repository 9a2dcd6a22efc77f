import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { SupervisorItem } from '#contract/sites/sites.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** The levels that are assigned to sites. */
const tiedLevels = [Level.CCUnderHood, Level.Supervisor, Level.SiteEmployee, Level.GenericEmployee]

const people = (db: Db, programId: number) =>
  db
    .selectFrom('account as u')
    .where('u.program_id', '=', programId)
    .where('u.access_level', 'in', tiedLevels)
    .where('u.deleted_at', 'is', null)
    .where('u.deactivated_at', 'is', null)

/** A page of the people who can be assigned to sites, by name. */
export const pageSupervisors = async (
  db: Db,
  programId: number,
  filter: { search?: string | undefined; WithoutSites: boolean; page: number; pageSize: number },
): Promise<{ Items: SupervisorItem[]; Total: number }> => {
  const found = people(db, programId)
    .$if(Boolean(filter.search), (query) =>
      query.where(
        isFound(
          sql`u.first_name || ' ' || u.last_name || ' ' || u.user_name || ' ' || u.email || ' '
          || coalesce(u.student_number, '')`,
          filter.search ?? '',
        ),
      ),
    )
    .$if(filter.WithoutSites, (query) =>
      query.where(
        sql<boolean>`not exists (select from supervisor_site x join site s on s.program_id = x.program_id
          and s.id = x.site_id and s.deleted_at is null where x.program_id = u.program_id and x.account_id = u.id)`,
      ),
    )
  const Items = await found
    .select([
      'u.id as Id',
      'u.user_name as UserName',
      'u.email as EmailAddress',
      'u.access_level as AccessLevel',
    ])
    .select(sql<string>`trim(u.first_name || ' ' || u.last_name)`.as('Name'))
    .select(
      sql<number>`(select count(*) from supervisor_site x join site s on s.program_id = x.program_id
        and s.id = x.site_id and s.deleted_at is null
        where x.program_id = u.program_id and x.account_id = u.id)`.as('SiteCount'),
    )
    .orderBy(sql`lower(u.last_name)`)
    .orderBy(sql`lower(u.first_name)`)
    .orderBy('u.id')
    .offset((filter.page - 1) * filter.pageSize)
    .limit(filter.pageSize)
    .execute()
  const { total } = await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return { Items, Total: total }
}

/** Of these people, those who are there and can be assigned to sites. */
export const listAssignable = async (db: Db, programId: number, ids: readonly number[]): Promise<number[]> =>
  (
    await people(db, programId).select('u.id').where(sql<boolean>`u.id = any (${ids}::bigint[])`).execute()
  ).map(({ id }) => id)

/** Of these sites, those who are there. */
export const listThere = async (db: Db, programId: number, ids: readonly number[]): Promise<number[]> =>
  (
    await db
      .selectFrom('site')
      .select('id')
      .where('program_id', '=', programId)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`id = any (${ids}::bigint[])`)
      .execute()
  ).map(({ id }) => id)

export const listSitesOf = async (db: Db, programId: number, accountId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('supervisor_site as x')
      .innerJoin('site as s', (join) =>
        join.onRef('s.program_id', '=', 'x.program_id').onRef('s.id', '=', 'x.site_id'),
      )
      .select('x.site_id')
      .where('x.program_id', '=', programId)
      .where('x.account_id', '=', accountId)
      .where('s.deleted_at', 'is', null)
      .orderBy('x.site_id')
      .execute()
  ).map(({ site_id }) => site_id)

export const listSupervisorsOf = async (db: Db, programId: number, siteId: number): Promise<number[]> =>
  (
    await people(db, programId)
      .innerJoin('supervisor_site as x', (join) =>
        join.onRef('x.program_id', '=', 'u.program_id').onRef('x.account_id', '=', 'u.id'),
      )
      .select('u.id')
      .where('x.site_id', '=', siteId)
      .orderBy('u.id')
      .execute()
  ).map(({ id }) => id)
