import { addDays, daysBetween } from '#contract/core/calendar.ts'
import { daysOff, isHoliday, mondayOf } from './calendar.ts'
import type { MadeRotation, Maker, ProgramPlan } from './maker.ts'

/** Hours that a student owes for a week of five working days: most are ahead of it, a handful behind. */
const hoursOfWeek = 16
const workDays = (from: string, to: string, today: string): number =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index)).filter(
    (date) => daysBetween(mondayOf(date), date) < 5 && !isHoliday(date) && !daysOff(today).includes(date),
  ).length

/** The rotation that has ended, the one that runs, and the program's holiday in the second. */
export const makeRotations = async (
  maker: Maker,
  plan: ProgramPlan,
): Promise<[past: MadeRotation, running: MadeRotation]> => {
  const { today } = maker
  const stamp = new Date(maker.now).toISOString()
  const monday = mondayOf(today)
  const rotation = async (clinical: string, from: number, to: number): Promise<MadeRotation> => {
    const name = `${clinical}, ${today.slice(0, 4)}`
    const start = addDays(monday, from)
    const end = addDays(monday, to)
    const id = await maker.add('rotation', {
      program_id: plan.id,
      name,
      start_date: start,
      end_date: end,
      target_minutes: Math.round((workDays(start, end, today) / 5) * hoursOfWeek) * 60,
      cohorts: [],
      notes: '',
      created_at: stamp,
      updated_at: stamp,
    })
    for (const level of [1, 2])
      await maker.put('rotation_level', { program_id: plan.id, rotation_id: id, level_id: level })
    return { id, name, from: start, to: end }
  }
  const past = await rotation('Clinical I', -12 * 7, -6 * 7 - 1)
  const running = await rotation('Clinical II', -6 * 7, 8 * 7 - 1)
  const [first, last] = daysOff(today)
  await maker.add('day_off', {
    program_id: plan.id,
    name: 'Program holiday',
    start_date: first,
    end_date: last,
  })
  return [past, running]
}
