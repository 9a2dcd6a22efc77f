import { addDays } from '#contract/core/calendar.ts'
import type { MadeSite, Maker, ProgramPlan } from './maker.ts'

const statuses = ['field', 'field', 'field', 'seeking', 'field', 'education', 'other', null, 'field'] as const

/** What the graduates do now: most work in the field, at sites that the students know; some have not answered. */
export const makeEmployment = async (
  maker: Maker,
  plan: ProgramPlan,
  alumni: readonly number[],
  sites: readonly MadeSite[],
): Promise<void> => {
  const work = plan.name === 'Nursing' ? 'Registered nurse' : 'Staff technologist'
  const stamp = new Date(maker.now).toISOString()
  for (const [index, accountId] of alumni.entries()) {
    const status = statuses[index % statuses.length]!
    if (status === null) continue
    const hasJob = status === 'field' || status === 'other'
    await maker.put('employment', {
      program_id: plan.id,
      account_id: accountId,
      status,
      employer:
        status === 'field' ? sites[index % sites.length]!.name : hasJob ? 'Bayside Veterinary Clinic' : '',
      position: status === 'field' ? work : hasJob ? 'Assistant' : '',
      start_date: hasJob ? addDays(maker.today, -(40 + index * 23)) : null,
      credential: status === 'field' ? 'Registered' : '',
      may_contact: index % 3 !== 0,
      created_at: stamp,
      updated_at: stamp,
    })
  }
}
