import { type ProgramOptions, readOptions } from '#contract/program-options.ts'
import type { StateUser } from '#contract/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { User } from '#server/core/session.ts'

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

export interface ProgramContext {
  Id: number
  Name: string
  CollegeId: number
  CollegeName: string
  TimeZone: string
  Options: ProgramOptions
}

/** A program that is not deleted, with its options; undefined when it is not there. */
export const findProgramContext = async (
  db: Db,
  programId: number | null,
): Promise<ProgramContext | undefined> => {
  if (programId === null) return undefined
  const row = await db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .select(['p.id', 'p.name', 'p.college_id', 'c.name as college_name', 'p.time_zone', 'p.options'])
    .where('p.id', '=', programId)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      Id: row.id,
      Name: row.name,
      CollegeId: row.college_id,
      CollegeName: row.college_name,
      TimeZone: row.time_zone,
      Options: readOptions(row.options),
    }
  )
}

/** Settings of the installation by name, for the front-end. */
export const getGlobalSettings = async (db: Db): Promise<Record<string, unknown>> => {
  const rows = await db.selectFrom('setting').select(['name', 'value']).execute()
  return { EnableAntiForgery: true, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
}
