import { addDays } from '#contract/core/calendar.ts'
import type { MadeShift, MadeSite, Maker, ProgramPlan } from './maker.ts'

/** Begin and end by wall clock. */
const shiftTimes = {
  day: ['07:00', '15:30'],
  evening: ['15:00', '23:30'],
  night: ['23:00', '07:30'],
  weekend: ['08:00', '18:00'],
  other: ['13:00', '17:00'],
} as const

/** One or two shifts of each of the first sites: as many sites as the students need, five at least. */
export const makeShifts = async (
  maker: Maker,
  plan: ProgramPlan,
  sites: MadeSite[],
): Promise<MadeShift[]> => {
  const { random, today } = maker
  const wanted = Math.max(5, Math.min(sites.length, Math.ceil(plan.students / 5)))
  const shifts: MadeShift[] = []
  for (const [index, site] of sites.slice(0, wanted).entries()) {
    const types: MadeShift['type'][] =
      site.code === 'SIM'
        ? ['other']
        : index % 7 === 1
          ? ['day', 'evening']
          : index % 7 === 2
            ? ['day', 'night']
            : index % 7 === 5
              ? ['weekend']
              : index % 7 === 3
                ? ['day', 'weekend']
                : ['day']
    for (const type of types) {
      const [start, end] = shiftTimes[type]
      const weekdays = type === 'weekend' ? [0, 6] : [1, 2, 3, 4, 5]
      const code = `${site.code}-${type.charAt(0).toUpperCase()}1`
      const capacity = random.int(4, 12)
      const id = await maker.add('site_shift', {
        program_id: plan.id,
        site_id: site.id,
        code,
        name: type.charAt(0).toUpperCase() + type.slice(1),
        type,
        weekdays,
        start_time: start,
        end_time: end,
        capacity,
        start_date: addDays(today, -200),
        end_date: addDays(today, 300),
        created_at: new Date(maker.now).toISOString(),
        updated_at: new Date(maker.now).toISOString(),
      })
      shifts.push({ id, site, type, code, start, end, weekdays, capacity })
    }
  }
  return shifts
}
