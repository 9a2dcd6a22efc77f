import type { TaxRate } from '#contract/payments/payments.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The tax rates by state, the newest first; of one state where it is named. */
export const listTaxRates = (db: Db, state?: string): Promise<TaxRate[]> =>
  db
    .selectFrom('tax_rate')
    .select(['id as Id', 'state as State', 'starts_on as StartsOn', 'rate as Rate'])
    .where('deleted_at', 'is', null)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .orderBy('state')
    .orderBy('starts_on', 'desc')
    .execute()
