import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { NewRow, RowChange } from '#server/core/database/rows.ts'
import { giveLevels } from '../people/people.commands.ts'
import type { ScimConnection } from './connections.across.ts'
import { usersFrom } from './provisioning.queries.ts'
import type { OwnedField } from './scim-resources.rules.ts'

type Place = Pick<ScimConnection, 'program_id' | 'provider_id'>

export const addScimConnection = async (db: Db, values: NewRow<'scim_connection'>): Promise<void> => {
  await db.insertInto('scim_connection').values(values).execute()
}

export const changeScimConnection = async (
  db: Db,
  { program_id, provider_id }: Place,
  values: RowChange<'scim_connection'>,
): Promise<void> => {
  await db
    .updateTable('scim_connection')
    .set(values)
    .where('program_id', '=', program_id)
    .where('provider_id', '=', provider_id)
    .execute()
}

export const deleteScimConnection = async (db: Db, { program_id, provider_id }: Place): Promise<void> => {
  await db
    .deleteFrom('scim_connection')
    .where('program_id', '=', program_id)
    .where('provider_id', '=', provider_id)
    .execute()
}

/** Lets rosters keep people of a program; the key of such a connection is known to nobody. */
export const keepRosters = async (
  db: Db,
  place: { programId: number; connectionId: number },
  { ceiling, level, keyHash, by }: { ceiling: number; level: number; keyHash: Buffer; by: number },
): Promise<void> => {
  await sql`insert into scim_connection (program_id, provider_id, max_level, default_level, key_hash, ending, created_by)
    values (${place.programId}, ${place.connectionId}, ${ceiling}, ${level}, ${keyHash}, '', ${by})
    on conflict (program_id, provider_id) do update
      set max_level = excluded.max_level, default_level = excluded.default_level`.execute(db)
}

/** Keeps that the key was used, to the minute. */
export const noteUse = async (db: Db, { program_id, provider_id }: ScimConnection): Promise<void> => {
  await db
    .updateTable('scim_connection')
    .set({ last_used_at: sql`now()` })
    .where('program_id', '=', program_id)
    .where('provider_id', '=', provider_id)
    .where(sql<boolean>`(last_used_at is null or last_used_at < now() - interval '1 minute')`)
    .execute()
}

export const noteError = (db: Db, connection: ScimConnection, message: string): Promise<void> =>
  changeScimConnection(db, connection, { last_error_at: sql`now()`, last_error: message.slice(0, 500) })

/** Puts an account under the directory; false where the user name was taken in this moment. */
export const insertScimUser = async (
  db: Db,
  connection: ScimConnection,
  user: { accountId: number; userName: string; externalId: string },
): Promise<boolean> => {
  const made = await db
    .insertInto('scim_user')
    .values({
      program_id: connection.program_id,
      provider_id: connection.provider_id,
      account_id: user.accountId,
      user_name: user.userName,
      external_id: user.externalId,
    })
    .onConflict((clash) => clash.doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return made !== undefined
}

/** Changes what the directory knows of a user. */
export const updateScimUser = async (
  db: Db,
  { program_id, provider_id }: ScimConnection,
  accountId: number,
  change: { userName?: string; externalId?: string; told?: OwnedField[]; isDeleted?: boolean },
): Promise<void> => {
  await db
    .updateTable('scim_user')
    .set({
      updated_at: sql`now()`,
      ...(change.userName !== undefined && { user_name: change.userName }),
      ...(change.externalId !== undefined && { external_id: change.externalId }),
      ...(change.told !== undefined && { told: change.told }),
      ...(change.isDeleted !== undefined && { deleted_at: change.isDeleted ? sql`now()` : null }),
    })
    .where('program_id', '=', program_id)
    .where('provider_id', '=', provider_id)
    .where('account_id', '=', accountId)
    .execute()
}

/** Makes a group; undefined where its name is taken. */
export const insertScimGroup = async (
  db: Db,
  { program_id, provider_id }: ScimConnection,
  { name, externalId }: { name: string; externalId: string },
): Promise<number | undefined> =>
  (
    await db
      .insertInto('scim_group')
      .values({ program_id, provider_id, name, external_id: externalId })
      .onConflict((clash) => clash.doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateScimGroup = async (
  db: Db,
  { program_id }: ScimConnection,
  groupId: number,
  { name, externalId }: { name: string; externalId: string },
): Promise<void> => {
  await db
    .updateTable('scim_group')
    .set({ name, external_id: externalId, updated_at: sql`now()` })
    .where('program_id', '=', program_id)
    .where('id', '=', groupId)
    .execute()
}

export const deleteScimGroup = async (
  db: Db,
  { program_id }: ScimConnection,
  groupId: number,
): Promise<void> => {
  await db.deleteFrom('scim_group').where('program_id', '=', program_id).where('id', '=', groupId).execute()
}

/** Gives groups their levels, of which none is above the highest of their connection. */
export const saveGroupLevels = async (
  db: Db,
  { program_id, provider_id }: Place,
  groups: readonly { Id: number; Level: number | null }[],
  maxLevel: number,
): Promise<void> => {
  if (groups.length > 0) {
    await sql`update scim_group g set level = w."Level"
      from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as w ("Id" bigint, "Level" smallint)
      where g.program_id = ${program_id} and g.provider_id = ${provider_id} and g.id = w."Id"`.execute(db)
  }
  // A lower highest level is of no use while groups give more.
  await db
    .updateTable('scim_group')
    .set({ level: maxLevel })
    .where('program_id', '=', program_id)
    .where('provider_id', '=', provider_id)
    .where('level', '>', maxLevel)
    .execute()
}

/** Makes these and no others the members of a group; answers whose membership changed. */
export const setMembers = async (
  db: Db,
  { program_id }: ScimConnection,
  groupId: number,
  accountIds: readonly number[],
): Promise<number[]> =>
  (
    await sql<{ account_id: number }>`
      with wanted as (select unnest(${[...accountIds]}::bigint[]) as account_id),
      gone as (delete from scim_group_member m where m.program_id = ${program_id} and m.group_id = ${groupId}
        and not exists (select from wanted w where w.account_id = m.account_id) returning m.account_id),
      come as (insert into scim_group_member (program_id, group_id, account_id)
        select ${program_id}::bigint, ${groupId}::bigint, account_id from wanted on conflict do nothing returning account_id)
      select account_id from gone union select account_id from come`.execute(db)
  ).rows.map(({ account_id }) => account_id)

/**
 * Gives people the level of their groups: the highest of those that have one, else the connection’s own. Answers who has another level
 * now.
 */
export const applyGroupLevels = async (
  db: Db,
  connection: ScimConnection,
  accountIds: readonly number[],
): Promise<{ id: number; level: number }[]> => {
  if (accountIds.length === 0) return []
  const { program_id, provider_id, max_level, default_level } = connection
  return giveLevels(
    db,
    program_id,
    sql`select a.id, least(${max_level}::smallint, coalesce((select max(g.level) from scim_group_member m
        join scim_group g on g.program_id = m.program_id and g.id = m.group_id and g.provider_id = ${provider_id}
        where m.program_id = ${program_id} and m.account_id = a.id), ${default_level}::smallint)) as level
      from ${usersFrom(connection)} and a.id = any (${[...accountIds]}::bigint[])`,
  )
}
