import { type SelectQueryBuilder, sql } from 'kysely'
import type { SamlProvider, SamlUser } from '#contract/saml/saml.ts'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

export interface UserFilter {
  programId: number | null
  search: string
}

interface UserRow {
  id: number | null
  account_id: number
  program_id: number
  program_name: string
  college_name: string
  email: string
  first_name: string
  last_name: string
  user_name: string
  name_id: string | null
  created_at: string | null
  updated_at: string | null
}

const matching = (db: Db, samlId: number, { programId, search }: UserFilter) =>
  db
    .selectFrom(
      sql<UserRow>`(
        select u.id, a.id as account_id, p.id as program_id, p.name as program_name, c.name as college_name, a.email, a.first_name,
          a.last_name, a.user_name, u.name_id, u.created_at, u.updated_at
        from saml_program l
        join program p on p.id = l.program_id and p.deleted_at is null
        join college c on c.id = p.college_id
        join account a on a.program_id = p.id and a.deleted_at is null and a.deactivated_at is null and a.access_level < 100
          and a.test_mode is null
        left join saml_user u on u.program_id = a.program_id and u.account_id = a.id and u.provider_id = ${samlId}
        where l.provider_id = ${samlId} and l.removed_at is null and (${programId}::bigint is null or l.program_id = ${programId}))`.as(
        'u',
      ),
    )
    .where(
      isFound(
        sql`u.first_name || ' ' || u.last_name || ' ' || u.user_name || ' ' || u.email || ' ' || coalesce(u.name_id, '')`,
        search,
      ),
    )

const shown = <O>(
  query: SelectQueryBuilder<{ u: UserRow }, 'u', O>,
  entityId: string,
): SelectQueryBuilder<{ u: UserRow }, 'u', O & SamlUser> =>
  query
    .select(['u.id as Id', 'u.account_id as UserId', 'u.email as Email', 'u.first_name as FirstName'])
    .select(['u.last_name as LastName', 'u.user_name as UserName', 'u.name_id as SamlNameId'])
    .select(sql<string | null>`case when u.id is not null then ${entityId}::text end`.as('SamlEntityId'))
    .select(['u.created_at as CreateDate', 'u.updated_at as ModDate', 'u.program_id as ProgramId'])
    .select(['u.college_name as CollegeName', 'u.program_name as ProgramName'])

const order = {
  ProgramName: [
    sql`lower(u.college_name) collate alphabetical`,
    sql`lower(u.program_name) collate alphabetical`,
  ],
  UserId: [sql`u.account_id`],
  Email: [sql`lower(u.email) collate alphabetical`],
  Name: [sql`lower(u.last_name) collate alphabetical`, sql`lower(u.first_name) collate alphabetical`],
  UserName: [sql`lower(u.user_name) collate alphabetical`],
  SamlNameId: [sql`lower(u.name_id) collate alphabetical`],
  ModDate: [sql`u.updated_at`],
}

/** A page of the people of a provider's programs; who has no name there is last when sorted by it. */
export const listUsers = async (
  db: Db,
  provider: Pick<SamlProvider, 'Id' | 'EntityId'>,
  {
    page,
    pageSize,
    sort,
    ...filter
  }: UserFilter & {
    page: number
    pageSize: number
    sort: string
  },
): Promise<{ Items: SamlUser[]; Total: number; Page: number; PageSize: number }> => {
  const counted = await oneAcrossPrograms(
    db,
    matching(db, provider.Id, filter).select(({ fn }) => fn.countAll<number>().as('Total')),
  )
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const columns = order[sort.replace('-', '') as keyof typeof order]
  const by = columns.map((column) => sql`${column} ${direction} nulls last`)
  const Items = await acrossPrograms(
    db,
    shown(matching(db, provider.Id, filter), provider.EntityId)
      .orderBy(sql.join([...by, sql`u.account_id`]))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
  )
  return { Items, Total: counted.Total, Page: page, PageSize: pageSize }
}

/** A person of the provider's programs; undefined for everybody else. */
export const findUser = async (
  db: Db,
  provider: Pick<SamlProvider, 'Id' | 'EntityId'>,
  userId: number,
): Promise<SamlUser | undefined> =>
  (
    await acrossPrograms(
      db,
      shown(matching(db, provider.Id, { programId: null, search: '' }), provider.EntityId).where(
        'u.account_id',
        '=',
        userId,
      ),
    )
  )[0]

/**
 * Who has this name at the provider and another address than the person: the accounts of one person share name and address,
 * and nobody else's account may be opened by it.
 */
export const findNameIdConflict = async (
  db: Db,
  samlId: number,
  { nameId, email, exceptId }: { nameId: string; email: string; exceptId: number },
): Promise<string | undefined> => {
  const [row] = await acrossPrograms(
    db,
    matching(db, samlId, { programId: null, search: '' })
      .select('u.user_name')
      .where(
        sql<boolean>`lower(u.name_id) = lower(${nameId}) and (u.name_id = ${nameId} or position('@' in ${nameId}) > 0)`,
      )
      .where(sql<boolean>`lower(u.email) <> lower(${email})`)
      .where('u.account_id', '!=', exceptId),
  )
  return row?.user_name
}
