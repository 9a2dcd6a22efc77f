import { addDays, daysBetween } from '#contract/core/calendar.ts'
import { daysOff, instantOf, isHoliday, mondayOf } from './calendar.ts'
import type { Duty, MadeRotation, MadeShift, MadeStudent, Maker, ProgramPlan } from './maker.ts'
import { expiredDaysAgo, isExpired } from './requirements.ts'

/**
 * Two or three shifts a week each, some of them a weekend, and a new site every four weeks. Nobody works on holidays but
 * today, and what the program's rules refuse is not placed: but for three conflicts ahead, each of which shows a rule.
 */
export const makeAssignments = async (
  maker: Maker,
  plan: ProgramPlan,
  students: MadeStudent[],
  shifts: MadeShift[],
  rotations: readonly MadeRotation[],
): Promise<Duty[]> => {
  const { random, today } = maker
  const placed = new Map<string, number>()
  const duties: Duty[] = []
  const weekdays = shifts.filter(({ type }) => type !== 'weekend')
  const weekends = shifts.filter(({ type }) => type === 'weekend')
  const count = (key: string): number => placed.get(key) ?? 0
  const isFull = ({ id, capacity, site }: MadeShift, date: string): boolean =>
    count(`shift ${id} ${date}`) >= capacity || count(`site ${site.id} ${date}`) >= site.maxStudents
  const expiredOn = addDays(today, -expiredDaysAgo)
  const mayWork = (shift: MadeShift, date: string): boolean =>
    !isFull(shift, date) &&
    date <= shift.site.agreementEnds &&
    !daysOff(today).includes(date) &&
    (date === today || !isHoliday(date))
  const place = async (student: MadeStudent, shift: MadeShift, date: string): Promise<boolean> => {
    const rotation = rotations.find(({ from, to }) => from <= date && date <= to)
    if (!rotation) return false
    const startsAt = instantOf(date, shift.start, plan.timeZone)
    const endsAt = instantOf(shift.end > shift.start ? date : addDays(date, 1), shift.end, plan.timeZone)
    const id = await maker.add('shift_assignment', {
      program_id: plan.id,
      rotation_id: rotation.id,
      site_shift_id: shift.id,
      site_id: shift.site.id,
      student_id: student.id,
      date,
      starts_at: startsAt,
      ends_at: endsAt,
      created_at: new Date(maker.now).toISOString(),
      updated_at: new Date(maker.now).toISOString(),
    })
    for (const key of [`shift ${shift.id} ${date}`, `site ${shift.site.id} ${date}`])
      placed.set(key, count(key) + 1)
    duties.push({ id, rotation: rotation.id, shift, student, date, startsAt, endsAt })
    return true
  }
  const thisMonday = mondayOf(today)
  for (const [index, student] of students.entries()) {
    for (let week = -12; week < 8; week++) {
      const block = Math.floor((week + 12) / 4)
      const monday = addDays(thisMonday, week * 7)
      const start = index + block * 3
      let days = random.int(2, 3)
      const weekend = index % 6 === 3 ? weekends[Math.floor(index / 6) % weekends.length] : undefined
      const hasNoCard = (date: string): boolean => isExpired(index) && date > expiredOn
      if (weekend && (week + index) % 2 === 0) {
        for (const day of [5, 6]) {
          const date = addDays(monday, day)
          if (!hasNoCard(date) && mayWork(weekend, date) && (await place(student, weekend, date))) days--
        }
      }
      let last = ''
      for (let step = 0; step < weekdays.length && days > 0; step++) {
        const shift = weekdays[(start + step) % weekdays.length]!
        for (let day = index % 2; day < (weekend ? 4 : 5) && days > 0; day += 2) {
          const date = addDays(monday, day)
          if (date <= last || !mayWork(shift, date) || hasNoCard(date)) continue
          if (!(await place(student, shift, date))) continue
          last = shift.type === 'night' ? addDays(date, 1) : date
          days--
        }
      }
    }
  }
  if (plan.suffix !== undefined) await placeConflicts()
  return duties

  /** A card that ran out, a site whose agreement has ended, and a night right after a day. */
  async function placeConflicts(): Promise<void> {
    const days = Array.from({ length: 28 }, (_none, ahead) => addDays(today, 1 + ahead)).filter(
      (date) => daysBetween(mondayOf(date), date) < 4 && !isHoliday(date),
    )
    const isFree = ({ id }: MadeStudent, date: string) =>
      !duties.some((duty) => duty.student.id === id && Math.abs(daysBetween(duty.date, date)) <= 1)
    const open = (date: string) => weekdays.find((shift) => shift.type === 'day' && mayWork(shift, date))
    const expired = students.find((_student, index) => isExpired(index))
    const first = open(days[0]!)
    if (expired && first) await place(expired, first, days[0]!)
    const ended = weekdays.find(
      (shift) => shift.type === 'day' && shift.site.agreementEnds < days[1]! && !isFull(shift, days[1]!),
    )
    const next = students.find(
      (student, index) => index > 1 && !isExpired(index) && isFree(student, days[1]!),
    )
    if (ended && next) await place(next, ended, days[1]!)
    const night = weekdays.find((shift) => shift.type === 'night' && mayWork(shift, days[2]!))
    const tired = duties.find(
      ({ date, shift, student }) =>
        date === days[2] &&
        shift.type === 'day' &&
        student !== students[1] &&
        duties.every((duty) => duty.student !== student || duty.date !== addDays(date, 1)),
    )
    if (night && tired) await place(tired.student, night, days[2]!)
  }
}
