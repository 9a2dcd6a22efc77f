import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import {
  grantedLevelLabel,
  type ListedSamlProvider,
  type SamlProvider,
  type SamlUser,
} from '#contract/saml/saml.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import type { DB } from '#server/core/database/types.ts'

/** Most providers at once. */
const most = 10_000

/** The programs that a provider is linked to, as JSON; its row is `v`. */
export const programsOf = (outer: ExpressionBuilder<DB & { v: DB['saml_provider'] }, 'v'>) =>
  jsonArrayFrom(
    outer
      .selectFrom('saml_program as l')
      .innerJoin('program as p', 'p.id', 'l.program_id')
      .innerJoin('college as c', 'c.id', 'p.college_id')
      .select(['p.id as ProgramId', 'p.name as ProgramName', 'c.id as CollegeId'])
      .select(['c.name as CollegeName', 'l.access_level as AccessLevel'])
      .whereRef('l.provider_id', '=', 'v.id')
      .where('l.removed_at', 'is', null)
      .where('p.deleted_at', 'is', null)
      .orderBy(sql`lower(c.name)`)
      .orderBy(sql`lower(p.name)`)
      .orderBy('p.id'),
  ).as('Programs')

const providers = (db: Db) =>
  db
    .selectFrom('saml_provider as v')
    .select(['v.id as Id', 'v.name as Name', 'v.entity_id as EntityId'])
    // Providers of SAML have all three; the database checks it.
    .select(sql<string>`v.sso_url`.as('SsoUrl'))
    .select('v.slo_url as SloUrl')
    .select(sql<string>`v.certificate`.as('Certificate'))
    .select(sql<string>`v.certificate_expires_at`.as('CertificateExpires'))
    .select(['v.created_at as CreateDate', 'v.updated_at as ModDate'])
    .select(programsOf)
    .where('v.deleted_at', 'is', null)
    .where('v.kind', '=', 'saml')

type ProviderRow = Omit<SamlProvider, 'Programs' | 'HasMultiple'> & {
  Programs: Omit<SamlProvider['Programs'][number], 'AccessLevelVerbose'>[]
}

const asProvider = <Row extends ProviderRow>(row: Row) => ({
  ...row,
  HasMultiple: row.Programs.length > 1,
  Programs: row.Programs.map((program) => ({
    ...program,
    AccessLevelVerbose: grantedLevelLabel(program.AccessLevel),
  })),
})

/** Connections of colleges by name, with how they are doing; the first 10,000. */
export const withState = <Row>(connections: SelectQueryBuilder<DB & { v: DB['saml_provider'] }, 'v', Row>) =>
  connections
    .leftJoin('college_connection_state as s', 's.provider_id', 'v.id')
    .select(['s.last_success_at as LastSuccessDate', 's.last_error_at as LastErrorDate'])
    .select(sql<string>`coalesce(s.last_error, '')`.as('LastError'))
    .orderBy(sql`lower(v.name)`)
    .orderBy('v.id')
    .limit(most)

/** All providers by name, with how they are doing. */
export const listProviders = async (db: Db): Promise<ListedSamlProvider[]> =>
  (await withState(providers(db)).execute()).map((row) => asProvider(row))

export const findProvider = async (db: Db, samlId: number): Promise<SamlProvider | undefined> => {
  const row = await providers(db).where('v.id', '=', samlId).executeTakeFirst()
  return row && asProvider(row)
}

/** Holds a provider until the end of the call: of two that unlink its last two programs at once, one is refused. */
export const lockProvider = async (db: Db, samlId: number): Promise<void> => {
  await sql`select from saml_provider where id = ${samlId} for update`.execute(db)
}

/** Which of its names another provider bears already. */
export const findTakenName = async (
  db: Db,
  { Name, EntityId }: { Name: string; EntityId: string },
  exceptId: number,
): Promise<'Name' | 'EntityId' | undefined> => {
  const taken = await db
    .selectFrom('saml_provider')
    .select(sql<boolean>`lower(name) = lower(${Name})`.as('isName'))
    .where('deleted_at', 'is', null)
    .where('id', '!=', exceptId)
    .where(sql<boolean>`(lower(name) = lower(${Name}) or (kind = 'saml' and entity_id = ${EntityId}))`)
    .orderBy('isName', 'desc')
    .executeTakeFirst()
  if (!taken) return undefined
  return taken.isName ? 'Name' : 'EntityId'
}

export const programExists = async (db: Db, programId: number): Promise<boolean> =>
  (await db
    .selectFrom('program')
    .select('id')
    .where('id', '=', programId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined

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
    .selectFrom(sql<UserRow>`saml_users(${samlId}, ${programId}, '')`.as('u'))
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
  const { Total } = await matching(db, provider.Id, filter)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const columns = order[sort.replace('-', '') as keyof typeof order]
  const by = columns.map((column) => sql`${column} ${direction} nulls last`)
  const Items = await shown(matching(db, provider.Id, filter), provider.EntityId)
    .orderBy(sql.join([...by, sql`u.account_id`]))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

/** A person of the provider's programs; undefined for everybody else. */
export const findUser = (
  db: Db,
  provider: Pick<SamlProvider, 'Id' | 'EntityId'>,
  userId: number,
): Promise<SamlUser | undefined> =>
  shown(matching(db, provider.Id, { programId: null, search: '' }), provider.EntityId)
    .where('u.account_id', '=', userId)
    .executeTakeFirst()

/**
 * Who has this name at the provider and another address than the person: the accounts of one person share name and address,
 * and nobody else's account may be opened by it.
 */
export const findNameIdConflict = async (
  db: Db,
  samlId: number,
  { nameId, email, exceptId }: { nameId: string; email: string; exceptId: number },
): Promise<string | undefined> => {
  const row = await matching(db, samlId, { programId: null, search: '' })
    .select('u.user_name')
    .where(
      sql<boolean>`lower(u.name_id) = lower(${nameId}) and (u.name_id = ${nameId} or position('@' in ${nameId}) > 0)`,
    )
    .where(sql<boolean>`lower(u.email) <> lower(${email})`)
    .where('u.account_id', '!=', exceptId)
    .executeTakeFirst()
  return row?.user_name
}
