import { sql } from 'kysely'
import type pg from 'pg'
import { oneAcrossPrograms } from '#server/core/database/across.ts'

/** Whether there is a college to sign in through. */
export const offersCollege = async (pool: pg.Pool): Promise<boolean> => {
  const found = await oneAcrossPrograms(
    pool,
    sql<{ offers: boolean }>`
      select exists (
        select from saml_provider v
        join saml_program l on l.provider_id = v.id and l.removed_at is null
        join program p on p.id = l.program_id and p.deleted_at is null
        where v.deleted_at is null and v.kind in ('saml', 'oidc')) as offers`,
  )
  return found.offers
}
