import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { SuperAdmin } from '#contract/identity/super-admins.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Everything but what depends on the reader. */
export type KnownSuperAdmin = Omit<SuperAdmin, 'CanEdit'>

const superAdmins = (db: Db) =>
  db
    .selectFrom('account as a')
    .select([
      'a.id as Id',
      'a.user_name as UserName',
      'a.first_name as FirstName',
      'a.last_name as LastName',
      'a.email as EmailAddress',
      'a.is_email_confirmed as IsEmailAddressConfirmed',
      sql<number>`coalesce(a.super_admin_areas, 0)`.as('Areas'),
      sql<boolean>`a.deactivated_at is null`.as('IsActive'),
      sql<string | null>`(select max(s.created_at) from session s where s.account_id = a.id)`.as(
        'LastSignInDate',
      ),
    ])
    .where('a.access_level', '=', Level.SuperAdmin)
    .where('a.deleted_at', 'is', null)

/** All super admins by name; of an installation there are tens. */
export const listSuperAdmins = (db: Db): Promise<KnownSuperAdmin[]> =>
  superAdmins(db).orderBy(sql`lower(a.last_name), lower(a.first_name), a.id`).execute()

export const findSuperAdmin = (db: Db, id: number): Promise<KnownSuperAdmin | undefined> =>
  superAdmins(db).where('a.id', '=', id).executeTakeFirst()

/**
 * Takes the rows of these people for the caller's transaction and answers the areas that each active super admin among them
 * has now: what the session knew may have been taken away since.
 */
export const lockAreas = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await db
    .selectFrom('account')
    .select(['id', sql<number>`coalesce(super_admin_areas, 0)`.as('areas')])
    .where('id', 'in', ids)
    .where('access_level', '=', Level.SuperAdmin)
    .where('deactivated_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map(({ id, areas }) => [id, areas]))
}
