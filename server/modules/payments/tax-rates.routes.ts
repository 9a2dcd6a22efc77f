import { sql } from 'kysely'
import * as contract from '#contract/payments/payments.ts'
import { percent } from '#contract/payments/payments-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { conflict, notFound } from '#server/core/runtime/failure.ts'
import { listTaxRates } from './tax-rates.queries.ts'

const getRate = async (db: Db, rateId: number): Promise<contract.TaxRate> => {
  const rate = (await listTaxRates(db)).find(({ Id }) => Id === rateId)
  if (!rate) throw notFound('This tax rate')
  return rate
}

type Values = Omit<contract.TaxRate, 'Id'>

const columnsOf = ({ State, StartsOn, Rate }: Values) => ({ state: State, starts_on: StartsOn, rate: Rate })

const refuseTakenDay = async (db: Db, { State, StartsOn }: Values, exceptId: number): Promise<void> => {
  const taken = (await listTaxRates(db, State)).find(
    (rate) => rate.StartsOn === StartsOn && rate.Id !== exceptId,
  )
  if (taken)
    throw conflict(
      'day_taken',
      `${State} has a rate of ${percent(taken.Rate)} from this day on. Change that one; nothing was saved.`,
      'StartsOn',
    )
}

export const taxRateRoutes = [
  handle(contract.listTaxRates, ({ db }) => listTaxRates(db)),

  handle(contract.createTaxRate, async ({ db, body, user }) => {
    await refuseTakenDay(db, body, 0)
    const { id } = await db
      .insertInto('tax_rate')
      .values({ ...columnsOf(body), created_by: user.Id })
      .returning('id')
      .executeTakeFirstOrThrow()
    return getRate(db, id)
  }),

  handle(contract.updateTaxRate, async ({ db, params: { rateId }, body, audit }) => {
    audit.detail = { Before: await getRate(db, rateId), After: body }
    await refuseTakenDay(db, body, rateId)
    await db.updateTable('tax_rate').set(columnsOf(body)).where('id', '=', rateId).execute()
    return getRate(db, rateId)
  }),

  handle(contract.deleteTaxRate, async ({ db, params: { rateId }, audit }) => {
    audit.detail = await getRate(db, rateId)
    await db.updateTable('tax_rate').set({ deleted_at: sql`now()` }).where('id', '=', rateId).execute()
  }),
]
