import { addDays } from '#contract/core/calendar.ts'
import type { Maker, ProgramPlan } from './maker.ts'

/** Rates of a few states, as they might be kept. */
export const makeTaxRates = async (maker: Maker): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  for (const [state, rate] of [
    ['MA', 6250],
    ['WI', 5000],
    ['NH', 0],
    ['RI', 7000],
    ['CT', 6350],
  ] as const)
    await maker.add('tax_rate', {
      state,
      starts_on: addDays(maker.today, -900),
      rate,
      created_at: stamp,
      updated_at: stamp,
    })
}

/** What a program pays: last year's arrangement has ended, this year's is in force. */
export const makePayments = async (maker: Maker, plan: ProgramPlan): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  const common = {
    program_id: plan.id,
    payer: 'college',
    payer_name: `${plan.name}, Accounts Payable`,
    payer_email: 'payables@example.org',
    payer_address: `1 College Way\n${plan.city}, ${plan.state}`,
    state: plan.state,
    is_exempt: false,
    notes: '',
    created_at: stamp,
    updated_at: stamp,
  }
  const begin = addDays(maker.today, -120)
  await maker.add('payment_arrangement', {
    ...common,
    cents_per_student: 7_500,
    starts_on: addDays(begin, -365),
    ends_on: addDays(begin, -1),
  })
  await maker.add('payment_arrangement', {
    ...common,
    cents_per_student: 8_200,
    starts_on: begin,
    ends_on: null,
  })
}
