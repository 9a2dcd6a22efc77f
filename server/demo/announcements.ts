import { minutesLater } from './calendar.ts'
import type { MadeStudent, Maker, ProgramPlan } from './maker.ts'

/** What the coordinator has told their people on the home page; most students have acknowledged the last. */
export const makeAnnouncements = async (
  maker: Maker,
  plan: ProgramPlan,
  { coordinator, students }: { coordinator: number; students: readonly MadeStudent[] },
): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  const announce = (category: string, html: string, daysAgo: number) =>
    maker.add('announcement', {
      program_id: plan.id,
      category,
      html,
      is_active: true,
      created_at: minutesLater(stamp, -daysAgo * 1440),
      created_by: coordinator,
    })
  await announce(
    'Registrants',
    '<p>Welcome. Your coordinator approves your account within two days; then your schedule opens.</p>',
    20,
  )
  await announce(
    'Students',
    plan.field === 'Nursing'
      ? '<p><strong>Flu shots</strong> are given on Monday, 07:30 to 09:00, in the skills lab. Most sites ask for this season’s shot before your first shift.</p>'
      : '<p><strong>Dosimeters</strong> are exchanged on the first Monday of the month, 07:30 to 09:00, in the skills lab. Please bring yours, also when you have no shift that day.</p>',
    9,
  )
  await announce(
    'Faculty',
    '<p>Final evaluations of this rotation are due on its last Friday. <em>Assign to many</em> on the status page takes a whole level at once.</p>',
    5,
  )
  const closed = await announce(
    'All',
    '<p>Sites close for students on the two days of the program holiday.</p>',
    3,
  )
  for (const [index, student] of students.entries()) {
    if (index % 5 < 2) continue
    await maker.put('announcement_reader', {
      program_id: plan.id,
      announcement_id: closed,
      account_id: student.id,
      acknowledged_at: minutesLater(stamp, -index * 7),
    })
  }
}
