import type { Db } from '#server/core/database/pool.ts'

/** Once a person and version: of two the first one counts. */
export const insertAcceptance = async (
  db: Db,
  { versionId, accountId, address }: { versionId: number; accountId: number; address: string },
): Promise<void> => {
  await db
    .insertInto('eula_acceptance')
    .values({ eula_id: versionId, account_id: accountId, address })
    .onConflict((clash) => clash.doNothing())
    .execute()
}
