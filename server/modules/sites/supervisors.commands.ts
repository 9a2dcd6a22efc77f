import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/**
 * Makes these pairs the only assignments, within the given person or the given site. Assignments to deleted sites and to people who
 * are away stay, for when they come back.
 */
export const saveAssignedSites = async (
  db: Db,
  programId: number,
  change: {
    add: readonly { accountId: number; siteId: number }[]
    remove: readonly { accountId: number; siteId: number }[]
  },
): Promise<void> => {
  const asJson = (pairs: typeof change.add) =>
    JSON.stringify(pairs.map(({ accountId, siteId }) => ({ account_id: accountId, site_id: siteId })))
  await sql`delete from supervisor_site t using jsonb_to_recordset(${asJson(change.remove)}::jsonb)
      as r (account_id bigint, site_id bigint)
    where t.program_id = ${programId} and t.account_id = r.account_id and t.site_id = r.site_id`.execute(db)
  await sql`insert into supervisor_site (program_id, account_id, site_id)
    select ${programId}::bigint, account_id, site_id
    from jsonb_to_recordset(${asJson(change.add)}::jsonb) as r (account_id bigint, site_id bigint)
    on conflict do nothing`.execute(db)
}

/** Assigns a person to exactly these sites. */
export const setSupervisorSites = async (
  db: Db,
  programId: number,
  userId: number,
  siteIds: readonly number[],
): Promise<void> => {
  await db
    .deleteFrom('supervisor_site')
    .where('program_id', '=', programId)
    .where('account_id', '=', userId)
    .$if(siteIds.length > 0, (query) => query.where('site_id', 'not in', [...siteIds]))
    .execute()
  if (siteIds.length === 0) return
  await db
    .insertInto('supervisor_site')
    .columns(['program_id', 'account_id', 'site_id'])
    .expression(
      db
        .selectFrom('site')
        .select([
          sql<number>`${programId}::bigint`.as('program_id'),
          sql<number>`${userId}::bigint`.as('account_id'),
          'id',
        ])
        .where('program_id', '=', programId)
        .where('deleted_at', 'is', null)
        .where('id', 'in', [...siteIds]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
