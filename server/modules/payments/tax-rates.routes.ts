import { paymentFailures } from '#contract/payments/failures.ts'
import * as contract from '#contract/payments/payments.ts'
import { percent } from '#contract/payments/payments-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addTaxRate, changeTaxRate, deleteTaxRate, type TaxRateValues } from './tax-rates.commands.ts'
import { listTaxRates } from './tax-rates.queries.ts'

const getRate = async (db: Db, rateId: number): Promise<contract.TaxRate> => {
  const rate = (await listTaxRates(db)).find(({ Id }) => Id === rateId)
  if (!rate) throw fail(paymentFailures.no_tax_rate)
  return rate
}

const refuseTakenDay = async (
  db: Db,
  { State, StartsOn }: TaxRateValues,
  exceptId: number,
): Promise<void> => {
  const taken = (await listTaxRates(db, State)).find(
    (rate) => rate.StartsOn === StartsOn && rate.Id !== exceptId,
  )
  if (taken) throw fail(paymentFailures.day_taken, { State, Rate: percent(taken.Rate) }, 'StartsOn')
}

export const taxRateRoutes = [
  handle(contract.listTaxRates, ({ db }) => listTaxRates(db)),

  handle(contract.createTaxRate, async ({ db, body, user }) => {
    await refuseTakenDay(db, body, 0)
    return getRate(db, await addTaxRate(db, user.Id, body))
  }),

  handle(contract.updateTaxRate, async ({ db, params: { rateId }, body, audit }) => {
    audit.detail = { Before: await getRate(db, rateId), After: body }
    await refuseTakenDay(db, body, rateId)
    await changeTaxRate(db, rateId, body)
    return getRate(db, rateId)
  }),

  handle(contract.deleteTaxRate, async ({ db, params: { rateId }, audit }) => {
    audit.detail = await getRate(db, rateId)
    await deleteTaxRate(db, rateId)
  }),
]
