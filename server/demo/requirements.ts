import { addDays } from '#contract/core/calendar.ts'
import type { MadeStudent, Maker, ProgramPlan } from './maker.ts'

/** Students whose CPR card has expired, by their place among the students of the program. */
export const isExpired = (index: number): boolean => index % 23 === 4
/** How many days ago their cards expired. */
export const expiredDaysAgo = 7

/** A CPR card of each student, without which nobody is placed: most valid for long, some about to expire, some expired. */
export const makeRequirements = async (
  maker: Maker,
  plan: ProgramPlan,
  students: readonly MadeStudent[],
): Promise<void> => {
  const { random, today } = maker
  const cpr = await maker.add('requirement', { program_id: plan.id, name: 'CPR', blocks_placement: true })
  for (const [index, student] of students.entries()) {
    await maker.put('student_requirement', {
      program_id: plan.id,
      student_id: student.id,
      requirement_id: cpr,
      status: 'accepted',
      completed_on: addDays(today, -400),
      expires_on: addDays(
        today,
        isExpired(index) ? -expiredDaysAgo : index % 23 === 9 ? 45 : random.int(200, 500),
      ),
    })
  }
}
