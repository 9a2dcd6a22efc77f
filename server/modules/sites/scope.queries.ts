import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'

/** Whose assignments a caller sees: everyone's for staff, those at their sites for a supervisor. */
export interface SiteScope {
  /** The account whose sites bound the view; null sees the whole program. */
  supervisorId: number | null
}

export const siteScopeOf = (user: { Id: number; AccessLevel: number }): SiteScope => ({
  supervisorId: user.AccessLevel >= Level.Faculty ? null : user.Id,
})

/** SQL condition that a site column is in the scope. `site` and `program` are SQL column names. */
export const inScope = ({ supervisorId }: SiteScope, program: string, site: string): RawBuilder<boolean> =>
  supervisorId === null
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from supervisor_site v where v.program_id = ${sql.ref(program)}
        and v.account_id = ${supervisorId} and v.site_id = ${sql.ref(site)})`
