import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** A connection of a directory to a program, as its key finds it. */
export interface ScimConnection {
  program_id: number
  provider_id: number
  provider_name: string
  provider_kind: string
  max_level: number
  default_level: number
  adopts_by_email: boolean
}

/** Whose key it is, asked before a program is known. */
export const findConnectionByKey = async (db: Db, hash: Buffer): Promise<ScimConnection | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<ScimConnection>`
      select c.program_id, c.provider_id, v.name as provider_name, v.kind as provider_kind, c.max_level, c.default_level, c.adopts_by_email
      from scim_connection c
      join saml_provider v on v.id = c.provider_id and v.deleted_at is null
      join saml_program l on l.program_id = c.program_id and l.provider_id = c.provider_id and l.removed_at is null
      join program p on p.id = c.program_id and p.deleted_at is null
      where c.key_hash = ${hash} or (c.previous_hash = ${hash} and c.previous_until > now())`,
  )
  return found
}

/** The account of a program that bears a name at the provider; names are for super admins otherwise. */
export const findNamed = async (
  db: Db,
  { program_id, provider_id }: Pick<ScimConnection, 'program_id' | 'provider_id'>,
  name: string,
): Promise<number | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<{ id: number }>`
      select account_id as id from saml_user where program_id = ${program_id} and provider_id = ${provider_id} and name_id = ${name}
      order by account_id limit 1`,
  )
  return found?.id
}
