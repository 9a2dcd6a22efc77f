import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { ScimConnection } from './connections.across.ts'
import { usersFrom } from './provisioning.queries.ts'
import type { OwnedField } from './scim-resources.rules.ts'

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

export const noteError = async (
  db: Db,
  { program_id, provider_id }: ScimConnection,
  message: string,
): Promise<void> => {
  await db
    .updateTable('scim_connection')
    .set({ last_error_at: sql`now()`, last_error: message.slice(0, 500) })
    .where('program_id', '=', program_id)
    .where('provider_id', '=', provider_id)
    .execute()
}

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
  const { rows } = await sql<{ id: number; level: number }>`
    with wanted as (
      select a.id, least(${max_level}::smallint, coalesce((select max(g.level) from scim_group_member m
        join scim_group g on g.program_id = m.program_id and g.id = m.group_id and g.provider_id = ${provider_id}
        where m.program_id = ${program_id} and m.account_id = a.id), ${default_level}::smallint)) as level
      from ${usersFrom(connection)} and a.id = any (${[...accountIds]}::bigint[]))
    update account a set access_level = w.level from wanted w
    where a.program_id = ${program_id} and a.id = w.id and a.access_level <> w.level
    returning a.id, a.access_level as level`.execute(db)
  return rows
}
