import { type RawBuilder, sql } from 'kysely'
import type { Provisioning } from '#contract/provisioning/provisioning.ts'
import type { Db } from '#server/core/database/pool.ts'
import { findNamed, type ScimConnection } from './connections.across.ts'
import type { Filter } from './scim-filter.rules.ts'
import type { ScimGroupRow, ScimUserRow } from './scim-resources.rules.ts'
import { filterSql, groupAttributes, userAttributes } from './scim-sql.rules.ts'

/** Accounts that a directory may touch: of its program, up to its level, and no test users. */
const inReach = ({ program_id, max_level }: ScimConnection) =>
  sql`a.program_id = ${program_id} and a.access_level <= ${max_level} and a.deleted_at is null and a.test_mode is null`

export const usersFrom = (connection: ScimConnection) => sql`
  scim_user s join account a on a.program_id = s.program_id and a.id = s.account_id
  where s.program_id = ${connection.program_id} and s.provider_id = ${connection.provider_id} and s.deleted_at is null
    and ${inReach(connection)}`

const userColumns = ({ program_id, provider_id }: ScimConnection) => sql`
  a.id, s.user_name as "userName", s.external_id as "externalId", a.first_name as "firstName", a.middle_name as "middleName",
  a.last_name as "lastName", a.suffix, a.email, a.phone, coalesce(a.student_number, '') as number, s.told, s.kept,
  coalesce((select array_agg(distinct f.name) from scim_user o
    join saml_provider v on v.id = o.provider_id and v.deleted_at is null and v.kind <> 'lti', unnest(o.told) f (name)
    where o.program_id = s.program_id and o.account_id = s.account_id and o.provider_id <> s.provider_id
      and o.deleted_at is null), '{}') as elsewhere,
  a.deactivated_at is null as "isActive", s.created_at as "createdAt", greatest(s.updated_at, a.updated_at) as "updatedAt",
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.id) from scim_group_member m
    join scim_group g on g.program_id = m.program_id and g.id = m.group_id and g.provider_id = ${provider_id}
    where m.program_id = ${program_id} and m.account_id = a.id), '[]') as groups`

const condition = (filter: Filter | undefined, attributes: typeof userAttributes): RawBuilder<boolean> =>
  filter ? filterSql(filter, attributes) : sql`true`

/** Where a page begins, from 1, and how many rows it has at most. */
export interface ScimPage {
  startIndex: number
  count: number
}

export const listScimUsers = async (
  db: Db,
  connection: ScimConnection,
  filter: Filter | undefined,
  { startIndex, count }: ScimPage,
): Promise<{ rows: ScimUserRow[]; total: number }> => {
  const fits = condition(filter, userAttributes)
  const { rows: counted } = await sql<{
    total: number
  }>`select count(*)::integer as total from ${usersFrom(connection)}
    and ${fits}`.execute(db)
  const total = counted[0]?.total ?? 0
  if (count === 0) return { rows: [], total }
  const { rows } =
    await sql<ScimUserRow>`select ${userColumns(connection)} from ${usersFrom(connection)} and ${fits}
    order by a.id limit ${count} offset ${startIndex - 1}`.execute(db)
  return { rows, total }
}

/** A user in reach, held until the end of the call where it is to be changed. */
export const findScimUser = async (
  db: Db,
  connection: ScimConnection,
  accountId: number,
  isHeld = false,
): Promise<ScimUserRow | undefined> =>
  (
    await sql<ScimUserRow>`select ${userColumns(connection)} from ${usersFrom(connection)} and a.id = ${accountId}
      ${isHeld ? sql`for update of s, a` : sql``}`.execute(db)
  ).rows[0]

/** Who bears a user name in the directory, deleted or out of reach as well; held until the end of the call. */
export const findByUserName = async (
  db: Db,
  connection: ScimConnection,
  userName: string,
): Promise<{ account_id: number; is_deleted: boolean; is_in_reach: boolean } | undefined> =>
  (
    await sql<{ account_id: number; is_deleted: boolean; is_in_reach: boolean }>`
      select s.account_id, s.deleted_at is not null as is_deleted, (${inReach(connection)}) as is_in_reach
      from scim_user s join account a on a.program_id = s.program_id and a.id = s.account_id
      where s.program_id = ${connection.program_id} and s.provider_id = ${connection.provider_id}
        and lower(s.user_name) = lower(${userName}) for update of s`.execute(db)
  ).rows[0]

/** An account of the program that no directory row of this connection has yet: by its name at the provider. */
export const findNamedAccount = async (
  db: Db,
  connection: ScimConnection,
  name: string,
): Promise<number | undefined> => {
  const named = await findNamed(db, connection, name)
  return (
    await sql<{ id: number }>`
      select a.id from account a
      where ${inReach(connection)} and a.id = ${named ?? null}
        and not exists (select from scim_user s where s.program_id = a.program_id and s.provider_id = ${connection.provider_id}
          and s.account_id = a.id)`.execute(db)
  ).rows[0]?.id
}

/** An account that may be the person of a new user. */
export interface SameAccount {
  id: number
  /** In reach, and of no user of this directory. */
  is_free: boolean
  /** Null of those out of reach, whom a directory does not see. */
  called: string | null
}

/** Accounts of the program with an address or a student number, in reach or not; two are enough to know that it is not one person’s alone. */
export const findSameAccounts = async (
  db: Db,
  connection: ScimConnection,
  column: 'email' | 'student_number',
  value: string,
): Promise<SameAccount[]> =>
  (
    await sql<SameAccount>`
      select a.id, case when ${inReach(connection)}
          then concat_ws(' ', nullif(a.first_name, ''), nullif(a.last_name, '')) || ' (' || a.user_name || ')' end as called, (${inReach(connection)}) and not exists (select from scim_user s where s.program_id = a.program_id
          and s.provider_id = ${connection.provider_id} and s.account_id = a.id) as is_free
      from account a
      where a.program_id = ${connection.program_id} and lower(a.${sql.raw(column)}) = lower(${value}) and a.deleted_at is null
      limit 2`.execute(db)
  ).rows

/** Tells sign-in by which name the provider knows the person; `last` is the one that the directory told before. */
export const saveScimName = async (
  db: Db,
  { program_id, provider_id }: ScimConnection,
  accountId: number,
  name: { told: string; last: string },
): Promise<void> => {
  await sql`select save_scim_name(${program_id}, ${provider_id}, ${accountId}, ${name.told}, ${name.last})`.execute(
    db,
  )
}

const groupColumns = (connection: ScimConnection, withMembers: boolean) => sql`
  g.id, g.name, g.external_id as "externalId", g.created_at as "createdAt", g.updated_at as "updatedAt",
  ${
    withMembers
      ? sql`coalesce((select json_agg(json_build_object('id', a.id, 'name', s.user_name) order by a.id) from scim_group_member m
          join scim_user s on s.program_id = m.program_id and s.account_id = m.account_id
            and s.provider_id = g.provider_id and s.deleted_at is null
          join account a on a.program_id = m.program_id and a.id = m.account_id and ${inReach(connection)}
          where m.program_id = g.program_id and m.group_id = g.id), '[]')`
      : sql`'[]'::json`
  } as members`

const groupsFrom = ({ program_id, provider_id }: ScimConnection) =>
  sql`scim_group g where g.program_id = ${program_id} and g.provider_id = ${provider_id}`

export const listScimGroups = async (
  db: Db,
  connection: ScimConnection,
  filter: Filter | undefined,
  { startIndex, count, withMembers }: ScimPage & { withMembers: boolean },
): Promise<{ rows: ScimGroupRow[]; total: number }> => {
  const fits = condition(filter, groupAttributes)
  const { rows: counted } = await sql<{
    total: number
  }>`select count(*)::integer as total from ${groupsFrom(connection)}
    and ${fits}`.execute(db)
  const total = counted[0]?.total ?? 0
  if (count === 0) return { rows: [], total }
  const { rows } =
    await sql<ScimGroupRow>`select ${groupColumns(connection, withMembers)} from ${groupsFrom(connection)} and ${fits}
    order by g.id limit ${count} offset ${startIndex - 1}`.execute(db)
  return { rows, total }
}

/** A group, held until the end of the call where it is to be changed: two who add a member at once both do. */
export const findScimGroup = async (
  db: Db,
  connection: ScimConnection,
  groupId: number,
  isHeld = false,
): Promise<ScimGroupRow | undefined> => {
  if (isHeld) await sql`select from ${groupsFrom(connection)} and g.id = ${groupId} for update`.execute(db)
  return (
    await sql<ScimGroupRow>`select ${groupColumns(connection, true)} from ${groupsFrom(connection)} and g.id = ${groupId}`.execute(
      db,
    )
  ).rows[0]
}

export const isGroupNameTaken = async (
  db: Db,
  connection: ScimConnection,
  { name, exceptId }: { name: string; exceptId: number },
): Promise<boolean> =>
  (
    await sql`select from ${groupsFrom(connection)} and lower(g.name) = lower(${name}) and g.id <> ${exceptId}`.execute(
      db,
    )
  ).rows.length > 0

/** Which of some accounts are users of the directory. */
export const knownUsers = async (
  db: Db,
  connection: ScimConnection,
  accountIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    (
      await sql<{
        id: number
      }>`select a.id from ${usersFrom(connection)} and a.id = any (${[...accountIds]}::bigint[])`.execute(db)
    ).rows.map(({ id }) => id),
  )

/** A connection’s provisioning of a program as its page shows it; undefined while it is off. */
export const findProvisioning = async (
  db: Db,
  programId: number,
  connectionId: number,
): Promise<Omit<Provisioning, 'IsOn'> | undefined> =>
  (
    await sql<Omit<Provisioning, 'IsOn'>>`
      select c.max_level as "MaxLevel", c.default_level as "DefaultLevel", c.adopts_by_email as "AdoptsByEmail", c.ending as "Ending",
        case when c.previous_until > now() then c.previous_until end as "PreviousUntil", c.last_used_at as "LastUsedDate",
        c.last_error_at as "LastErrorDate", c.last_error as "LastError",
        (select count(*)::integer from scim_user s where s.program_id = c.program_id and s.provider_id = c.provider_id
          and s.deleted_at is null) as "UserCount",
        coalesce((select json_agg(json_build_object('Id', g.id, 'Name', g.name, 'Level', g.level,
          'MemberCount', (select count(*) from scim_group_member m where m.program_id = g.program_id and m.group_id = g.id))
          order by lower(g.name), g.id)
          from scim_group g where g.program_id = c.program_id and g.provider_id = c.provider_id), '[]') as "Groups"
      from scim_connection c where c.program_id = ${programId} and c.provider_id = ${connectionId}`.execute(
      db,
    )
  ).rows[0]

/** The provider of a program’s connection, whatever its protocol; undefined where the program is not connected. */
export const findProgramProvider = (
  db: Db,
  programId: number,
  connectionId: number,
): Promise<{ name: string; kind: string } | undefined> =>
  db
    .selectFrom('saml_program as l')
    .innerJoin('saml_provider as v', 'v.id', 'l.provider_id')
    .select(['v.name', 'v.kind'])
    .where('l.program_id', '=', programId)
    .where('l.provider_id', '=', connectionId)
    .where('l.removed_at', 'is', null)
    .where('v.deleted_at', 'is', null)
    .executeTakeFirst()

/** The accounts of the members of groups. */
export const membersOf = async (db: Db, programId: number, groupIds: readonly number[]): Promise<number[]> =>
  (
    await sql<{ account_id: number }>`select distinct account_id from scim_group_member
      where program_id = ${programId} and group_id = any (${[...groupIds]}::bigint[])`.execute(db)
  ).rows.map(({ account_id }) => account_id)
