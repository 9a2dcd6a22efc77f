import { sql } from 'kysely'
import type { TaxRate } from '#contract/payments/payments.ts'
import type { Db } from '#server/core/database/pool.ts'

export type TaxRateValues = Omit<TaxRate, 'Id'>

const values = ({ State, StartsOn, Rate }: TaxRateValues) => ({
  state: State,
  starts_on: StartsOn,
  rate: Rate,
})

/** Adds a tax rate; answers its id. */
export const addTaxRate = async (db: Db, accountId: number, input: TaxRateValues): Promise<number> => {
  const { id } = await db
    .insertInto('tax_rate')
    .values({ ...values(input), created_by: accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const changeTaxRate = async (db: Db, id: number, input: TaxRateValues): Promise<void> => {
  await db.updateTable('tax_rate').set(values(input)).where('id', '=', id).execute()
}

export const deleteTaxRate = async (db: Db, id: number): Promise<void> => {
  await db.updateTable('tax_rate').set({ deleted_at: sql`now()` }).where('id', '=', id).execute()
}
