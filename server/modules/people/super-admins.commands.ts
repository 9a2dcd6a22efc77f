import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { SuperAdmin } from '#contract/identity/super-admins.ts'
import type { Db } from '#server/core/database/pool.ts'

export const addSuperAdmin = async (
  db: Db,
  {
    UserName,
    FirstName,
    LastName,
    EmailAddress,
    Areas,
  }: Pick<SuperAdmin, 'UserName' | 'FirstName' | 'LastName' | 'EmailAddress' | 'Areas'>,
  createdBy: number,
): Promise<number> =>
  (
    await db
      .insertInto('account')
      .values({
        user_name: UserName,
        access_level: Level.SuperAdmin,
        super_admin_areas: Areas || null,
        email: EmailAddress,
        first_name: FirstName,
        last_name: LastName,
        created_by: createdBy,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** A new address has to be confirmed again. */
export const changeSuperAdmin = async (
  db: Db,
  id: number,
  { FirstName, LastName, EmailAddress, Areas }: Omit<Parameters<typeof addSuperAdmin>[1], 'UserName'>,
): Promise<void> => {
  await db
    .updateTable('account')
    .set({
      first_name: FirstName,
      last_name: LastName,
      email: EmailAddress,
      is_email_confirmed: sql`is_email_confirmed and lower(email) = lower(${EmailAddress})`,
      super_admin_areas: Areas || null,
    })
    .where('id', '=', id)
    .execute()
}

export const setActive = async (db: Db, id: number, isActive: boolean): Promise<void> => {
  await db
    .updateTable('account')
    .set({ deactivated_at: isActive ? null : sql`now()` })
    .where('id', '=', id)
    .execute()
}
