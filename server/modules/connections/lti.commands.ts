import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { RosterMember } from './roster.rules.ts'

export const insertRoster = async (
  db: Db,
  roster: {
    programId: number
    connectionId: number
    courseId: number
    members: readonly RosterMember[]
    adoptsByEmail: boolean
    by: number
  },
): Promise<{ id: number; read_at: string }> =>
  db
    .insertInto('lti_roster')
    .values({
      program_id: roster.programId,
      provider_id: roster.connectionId,
      course_id: roster.courseId,
      members: JSON.stringify(roster.members),
      adopts_by_email: roster.adoptsByEmail,
      read_by: roster.by,
    })
    .returning(['id', 'read_at'])
    .executeTakeFirstOrThrow()

export const noteApplied = async (db: Db, programId: number, rosterId: number): Promise<void> => {
  await db
    .updateTable('lti_roster')
    .set({ applied_at: sql`now()`, members: '[]' })
    .where('program_id', '=', programId)
    .where('id', '=', rosterId)
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

/** Gives people other levels. */
export const setLevels = async (
  db: Db,
  programId: number,
  levels: readonly { id: number; level: number }[],
): Promise<void> => {
  if (levels.length === 0) return
  await sql`update account a set access_level = w.level
    from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as w (id bigint, level smallint)
    where a.program_id = ${programId} and a.id = w.id`.execute(db)
}

/** Puts people on the roster of a course, and takes others off it. */
export const saveRosterMembers = async (
  db: Db,
  { programId, courseId }: { programId: number; courseId: number },
  { come, gone }: { come: readonly number[]; gone: readonly number[] },
): Promise<void> => {
  await sql`with gone as (delete from lti_roster_member where program_id = ${programId} and course_id = ${courseId}
      and account_id = any (${[...gone]}::bigint[]))
    insert into lti_roster_member (program_id, course_id, account_id)
    select ${programId}::bigint, ${courseId}::bigint, id from unnest(${[...come]}::bigint[]) as id
    on conflict do nothing`.execute(db)
}

/** Keeps the signed answer, which the browser fetches within its five minutes. */
export const saveDeepLinkAnswer = async (db: Db, id: number, response: string): Promise<void> => {
  await db
    .updateTable('lti_deep_link')
    .set({ response, answered_at: sql`now()`, expires_at: sql<string>`now() + interval '5 minutes'` })
    .where('id', '=', id)
    .execute()
}

/** Gives a connection a registration address, in the place of the one before; answers when it expires. */
export const insertRegistration = async (
  db: Db,
  { providerId, tokenHash, days, by }: { providerId: number; tokenHash: Buffer; days: number; by: number },
): Promise<string> =>
  (
    await sql<{ expires_at: string }>`
      insert into lti_registration as r (provider_id, token_hash, created_by, expires_at)
      values (${providerId}, ${tokenHash}, ${by}, now() + make_interval(days => ${days}))
      on conflict (provider_id) do update set token_hash = excluded.token_hash, created_by = excluded.created_by,
        created_at = now(), expires_at = excluded.expires_at, attempts = 0, busy_until = null
      returning r.expires_at`.execute(db)
  ).rows[0]!.expires_at

/** Turns on a connection that a platform has registered. */
export const approveConnection = async (db: Db, connectionId: number): Promise<void> => {
  await db.updateTable('saml_provider').set({ stage: 'on' }).where('id', '=', connectionId).execute()
}
