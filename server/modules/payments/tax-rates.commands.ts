import type { TaxRate } from '#contract/payments/payments.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, setRowDeleted } from '#server/core/database/rows.ts'

export type TaxRateValues = Omit<TaxRate, 'Id'>

const values = ({ State, StartsOn, Rate }: TaxRateValues) => ({
  state: State,
  starts_on: StartsOn,
  rate: Rate,
})

export const addTaxRate = (db: Db, accountId: number, input: TaxRateValues): Promise<number> =>
  addRow(db, 'tax_rate', { ...values(input), created_by: accountId })

export const changeTaxRate = (db: Db, id: number, input: TaxRateValues): Promise<boolean> =>
  changeRow(db, 'tax_rate', { id }, values(input))

export const deleteTaxRate = (db: Db, id: number): Promise<boolean> =>
  setRowDeleted(db, 'tax_rate', { id }, true)
