import type { StateUser } from '#contract/session/session.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'

export const countUnread = async (db: Db, user: User): Promise<number> => {
  if (user.ProgramId === null) return 0
  const { Count } = await db
    .selectFrom('notification')
    .select(({ fn }) => fn.countAll<number>().as('Count'))
    .where('program_id', '=', user.ProgramId)
    .where('account_id', '=', user.Id)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Count
}

export const stateUser = async (db: Db, user: User): Promise<StateUser> => ({
  Id: user.Id,
  UserName: user.UserName,
  Name: user.Name,
  EmailAddress: user.EmailAddress,
  AccessLevel: user.AccessLevel,
  SuperAdminAreas: user.SuperAdminAreas,
  HasUnreadRemarks: (await countUnread(db, user)) > 0,
  IsEmailAddressConfirmed: user.IsEmailAddressConfirmed,
  IsDemo: user.IsDemo,
  isSuperAdmin: user.isSuperAdmin,
})

/** Settings of the installation by name, for the front-end; those with a dot in their name are the server's own notes. */
export const getGlobalSettings = async (db: Db): Promise<Record<string, unknown>> => {
  const rows = await db
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', 'not like', '%.%')
    .execute()
  return { EnableAntiForgery: true, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
}
