import { sql } from 'kysely'
import type { SitePhone } from '#contract/scheduling/site-phone.ts'

/** Whom to call at the site `s`. */
export const sitePhone = sql<SitePhone | null>`(select json_build_object('Name', k.name, 'Role', k.role, 'Phone', k.phone)
  from site_contact k where k.program_id = s.program_id and k.site_id = s.id and k.phone <> '' order by k.id limit 1)`
