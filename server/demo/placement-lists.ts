import { addDays } from '#contract/core/calendar.ts'
import type { MadeProgram, Maker } from './maker.ts'

/** What some sites have answered, by turns: nothing, a part, everything, and one student declined. */
const answers = ['none', 'part', 'all', 'declined'] as const

/** Placement lists of the next weeks at four sites, some of them answered. */
export const makePlacementLists = async (
  maker: Maker,
  { plan, duties }: MadeProgram,
  staff: number,
): Promise<void> => {
  const stamp = (hoursAgo: number) => new Date(maker.now - hoursAgo * 3_600_000).toISOString()
  const coming = duties.filter(({ date }) => date > maker.today)
  const rotation = coming[0]?.rotation
  if (rotation === undefined) return
  const bySite = Map.groupBy(
    coming.filter((duty) => duty.rotation === rotation),
    ({ shift }) => shift.site,
  )
  const sites = [...bySite].filter(([, own]) => new Set(own.map(({ student }) => student)).size > 1)
  for (const [index, [site, own]] of sites.slice(0, answers.length).entries()) {
    const answer = answers[index]
    const students = [...Map.groupBy(own, ({ student }) => student.id)]
    const rows = students.map(([student, shifts], place) => {
      const isDeclined = answer === 'declined' && place === 0
      const isAnswered = answer !== 'none' && (answer !== 'part' || place % 2 === 0)
      const dates = shifts.map(({ date }) => date).toSorted()
      return {
        program_id: plan.id,
        student_id: student,
        first_date: dates[0]!,
        last_date: dates.at(-1)!,
        shifts: shifts.length,
        is_confirmed: isAnswered ? !isDeclined : null,
        reason: isDeclined ? 'The preceptor of this unit is on leave until the new year.' : '',
        answered_at: isAnswered ? stamp(20 - index) : null,
      }
    })
    const id = await maker.add('placement_list', {
      program_id: plan.id,
      rotation_id: rotation,
      site_id: site.id,
      recipient_name: 'Grace Whitfield',
      recipient_email: `placement@site${site.id}.example`,
      note: '',
      answer_by: addDays(maker.today, 5 - index * 4),
      students: rows.length,
      confirmed: rows.filter((row) => row.is_confirmed).length,
      declined: rows.filter((row) => row.is_confirmed === false).length,
      sent_at: stamp(96 + index),
      created_by: staff,
      reminded_at: null,
      late_at: index >= 2 ? stamp(2) : null,
      withdrawn_at: null,
    })
    for (const row of rows) await maker.put('placement_list_student', { ...row, list_id: id })
  }
}
