import { sql } from 'kysely'
import type { EulaVersion } from '#contract/settings/eula.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The text that was saved last, and when an account accepted it; undefined while none was ever saved. */
export const findCurrentEula = (db: Db, accountId: number) =>
  db
    .selectFrom('eula as e')
    .leftJoin('eula_acceptance as x', (join) =>
      join.onRef('x.eula_id', '=', 'e.id').on('x.account_id', '=', accountId),
    )
    .select(['e.id', 'e.html', 'e.is_asked', 'x.accepted_at'])
    .orderBy('e.id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findEulaText = async (db: Db, versionId: number): Promise<string | undefined> =>
  (await db.selectFrom('eula').select('html').where('id', '=', versionId).executeTakeFirst())?.html

/** Most versions in the list of them. */
const maxVersions = 100

export const listEulaVersions = (db: Db): Promise<EulaVersion[]> =>
  db
    .selectFrom('eula as e')
    .leftJoin('account as a', 'a.id', 'e.created_by')
    .select(['e.id as Id', 'e.created_at as SavedAt'])
    .select(personName('a').as('SavedBy'))
    .select(sql<number>`(select count(*) from eula_acceptance x where x.eula_id = e.id)`.as('Accepted'))
    .orderBy('e.id', 'desc')
    .limit(maxVersions)
    .execute()
