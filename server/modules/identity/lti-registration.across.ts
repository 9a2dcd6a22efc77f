import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** A registration that was begun, and whose rights it has. */
export interface OpenedRegistration {
  provider_id: number
  name: string
  created_by: number
  access_level: number
  super_admin_areas: number | null
}

/** The connection that an address of registration is of, while it awaits its platform, is used by a program, and its maker has access. */
export const findRegistration = async (
  db: Db,
  tokenHash: Buffer,
): Promise<OpenedRegistration | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<OpenedRegistration>`
      select v.id as provider_id, v.name, a.id as created_by, a.access_level, a.super_admin_areas
      from lti_registration r
      join saml_provider v on v.id = r.provider_id and v.deleted_at is null and v.stage = 'awaits_lms'
      join account a on a.id = r.created_by and a.deleted_at is null and a.deactivated_at is null
      where r.token_hash = ${tokenHash} and exists (
        select from saml_program l join program p on p.id = l.program_id and p.deleted_at is null
        where l.provider_id = v.id and l.removed_at is null)`,
  )
  return found
}
