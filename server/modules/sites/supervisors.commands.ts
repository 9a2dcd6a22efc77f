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
