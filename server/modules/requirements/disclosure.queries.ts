import { type RawBuilder, sql } from 'kysely'

/** Whether a student has consented to be told of to a site, and has not taken it back. `site` and `student` are columns or values. */
export const hasConsented = (programId: number, student: RawBuilder<unknown>, site: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from disclosure_consent c where c.program_id = ${programId} and c.student_id = ${student}
    and c.site_id = ${site} and c.revoked_at is null)`

/** Whom a site is written to: the first of its contacts with an email, as a lateral of the site `s` with `name` and `email`. */
export const siteContact = sql`lateral (select k.name, k.email from site_contact k where k.program_id = s.program_id
  and k.site_id = s.id and k.email <> '' order by k.id limit 1)`
