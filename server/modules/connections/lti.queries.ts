import { sql } from 'kysely'
import type { LtiCourse } from '#contract/connections/lti.ts'
import type { RoleLevels } from '#contract/connections/lti-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { RosterMember } from './roster.rules.ts'

/** Most courses that are shown. */
const mostCourses = 500

export const listCourses = (db: Db, connectionId: number): Promise<LtiCourse[]> =>
  db
    .selectFrom('lti_course')
    .select(['id as Id', 'context_id as ContextId', 'title as Title', 'seen_at as LastSeenDate'])
    .where('provider_id', '=', connectionId)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostCourses)
    .execute()

export const findCourse = (
  db: Db,
  connectionId: number,
  courseId: number,
): Promise<{ id: number; title: string; memberships_url: string } | undefined> =>
  db
    .selectFrom('lti_course')
    .select(['id', 'title', 'memberships_url'])
    .where('provider_id', '=', connectionId)
    .where('id', '=', courseId)
    .executeTakeFirst()

/** The levels that the roles of a platform give, and the highest of a program; undefined where it is not connected. */
export const findRosterLevels = async (
  db: Db,
  connectionId: number,
  programId: number,
): Promise<{ ceiling: number; role_levels: RoleLevels } | undefined> =>
  (
    await sql<{ ceiling: number; role_levels: RoleLevels }>`
      select l.access_level as ceiling, v.role_levels from saml_program l
      join saml_provider v on v.id = l.provider_id and v.kind = 'lti' and v.deleted_at is null
      where l.program_id = ${programId} and l.provider_id = ${connectionId} and l.removed_at is null`.execute(
      db,
    )
  ).rows[0]

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

/** A roster of the last hour that nobody has applied, held until the end of the call. */
export const holdRoster = async (
  db: Db,
  { programId, connectionId, rosterId }: { programId: number; connectionId: number; rosterId: number },
): Promise<{ course_id: number; members: RosterMember[]; adopts_by_email: boolean } | undefined> =>
  (
    await sql<{ course_id: number; members: RosterMember[]; adopts_by_email: boolean }>`
      select course_id, members, adopts_by_email from lti_roster
      where program_id = ${programId} and provider_id = ${connectionId} and id = ${rosterId}
        and applied_at is null and read_at > now() - interval '1 hour' for update`.execute(db)
  ).rows[0]

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

/** A request for links that an account may answer, held where it is about to be. */
export const findDeepLink = async (
  db: Db,
  { tokenHash, accountId, isHeld = false }: { tokenHash: Buffer; accountId: number; isHeld?: boolean },
) =>
  (
    await sql<{
      id: number
      provider_id: number
      deployment_id: string
      data: string | null
      accepts_multiple: boolean
      is_answered: boolean
      is_framed: boolean
    }>`select d.id, d.provider_id, d.deployment_id, d.data, d.accepts_multiple, d.answered_at is not null as is_answered,
        exists (select from lti_ticket t where t.request_id = d.request_id) as is_framed
      from lti_deep_link d
      where d.token_hash = ${tokenHash} and d.account_id = ${accountId} and d.expires_at > now()
      ${isHeld ? sql`for update of d` : sql``}`.execute(db)
  ).rows[0]

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
