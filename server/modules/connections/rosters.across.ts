import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { KnownPerson } from './roster.rules.ts'

/**
 * Everybody of a program whom a roster could concern: who was kept by a roster before, who is linked by name, and who has one of the
 * addresses.
 */
export const listKnownPeople = (
  db: Db,
  place: { programId: number; connectionId: number; courseId: number; ceiling: number },
  { subjects, emails }: { subjects: readonly string[]; emails: readonly string[] },
): Promise<KnownPerson[]> =>
  acrossPrograms(
    db,
    sql<KnownPerson>`
      select a.id, a.first_name as "firstName", a.last_name as "lastName", a.email, a.access_level as level,
        a.deactivated_at is null as "isActive",
        a.access_level <= ${place.ceiling} and a.deleted_at is null and a.test_mode is null as "isInReach",
        s.external_id as "keptAs", s.deleted_at is not null as "isEnded", n.name_id as "linkedAs",
        exists (select from lti_roster_member m where m.program_id = a.program_id and m.account_id = a.id
          and m.course_id = ${place.courseId}) as "isOfCourse",
        exists (select from lti_roster_member m where m.program_id = a.program_id and m.account_id = a.id
          and m.course_id <> ${place.courseId}) as "isOfOther"
      from account a
      left join scim_user s on s.program_id = a.program_id and s.account_id = a.id and s.provider_id = ${place.connectionId}
      left join saml_user n on n.program_id = a.program_id and n.account_id = a.id and n.provider_id = ${place.connectionId}
      where a.program_id = ${place.programId} and (s.account_id is not null or n.name_id = any (${[...subjects]}::text[])
        or (a.deleted_at is null and lower(a.email) = any (${[...emails]}::text[])))
      order by a.id`,
  )
