import type { Db } from '#server/core/database/pool.ts'
import { addRow } from '#server/core/database/rows.ts'

/** Adds a version of the agreement, accepted by whoever puts it into force: asked at their next click, they would be thrown out of the editor. */
export const addEula = async (
  db: Db,
  html: string,
  by: { accountId: number; address: string },
): Promise<void> => {
  const versionId = await addRow(db, 'eula', { html, created_by: by.accountId })
  await insertAcceptance(db, { versionId, ...by })
}

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
