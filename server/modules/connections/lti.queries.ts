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
