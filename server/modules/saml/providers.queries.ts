import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { grantedLevelLabel, type ListedSamlProvider, type SamlProvider } from '#contract/saml/saml.ts'
import type { Db } from '#server/core/database/pool.ts'
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
