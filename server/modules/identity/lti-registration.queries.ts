import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** A registration that was begun, and whose rights it has. */
export interface OpenedRegistration {
  provider_id: number
  name: string
  created_by: number
  access_level: number
  super_admin_areas: number | null
}

/** Openings of one address: an administrator may correct something and try again, and no one may make us call others for ever. */
const mostAttempts = 20
/** Longer than both calls to the platform may take. */
const busySeconds = 30

/** Begins to use an address. Undefined when it is unknown, used, too old, on its way already, or its maker has gone. */
export const openRegistration = async (db: Db, tokenHash: Buffer): Promise<OpenedRegistration | undefined> =>
  (
    await sql<OpenedRegistration>`
      select * from open_lti_registration(${tokenHash}, ${mostAttempts}, ${busySeconds})`.execute(db)
  ).rows[0]
