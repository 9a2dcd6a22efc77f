import { addDays } from '#contract/core/calendar.ts'
import type { Duty, MadeProgram, Maker } from './maker.ts'

/** Open shifts of the demo, by how they are. */
const kinds = [
  { places: 1, waiting: 0, note: '' },
  { places: 0, waiting: 2, note: 'Fluoroscopy room; bring your lead apron.' },
  { places: 2, waiting: 0, note: '' },
  { places: 1, waiting: 0, note: '' },
  { places: 0, waiting: 0, note: '' },
  { places: 3, waiting: 0, note: '' },
] as const

/** Shifts to come that students sign up for: some with places, one full with a waiting list. */
export const makeOpenShifts = async (
  maker: Maker,
  { plan, students, duties }: MadeProgram,
  staff: number,
): Promise<void> => {
  const stamp = (daysAgo: number) => new Date(maker.now - daysAgo * 86_400_000).toISOString()
  const from = addDays(maker.today, 5)
  const byDay = [
    ...Map.groupBy(
      duties.filter(({ date }) => date >= from),
      ({ shift, date, rotation }) => `${shift.id} ${date} ${rotation}`,
    ).values(),
  ]
  // One a day and shift, spread over the weeks to come.
  const chosen = kinds.flatMap((kind, index): { kind: (typeof kinds)[number]; held: Duty[] }[] => {
    const held = byDay[Math.floor((index * byDay.length) / (kinds.length * 2))]
    return held ? [{ kind, held: held.slice(0, 2) }] : []
  })
  for (const { kind, held } of chosen) {
    const [first] = held as [Duty]
    const open = await maker.add('open_shift', {
      program_id: plan.id,
      rotation_id: first.rotation,
      site_shift_id: first.shift.id,
      date: first.date,
      level_ids: [],
      places: held.length + kind.places,
      taken: held.length,
      waiting: kind.waiting,
      note: kind.note,
      closes_at: new Date(Date.parse(first.startsAt) - 86_400_000).toISOString(),
      created_at: stamp(4),
      created_by: staff,
      updated_at: stamp(1),
    })
    const busy = new Set(duties.filter(({ date }) => date === first.date).map(({ student }) => student.id))
    const free = students.filter(({ id }) => !busy.has(id)).slice(3, 3 + kind.waiting)
    const signups = [
      ...held.map(({ id, student }) => ({ student: student.id, state: 'placed', assignment: id })),
      ...free.map(({ id }) => ({ student: id, state: 'waiting', assignment: null })),
    ]
    for (const { student, state, assignment } of signups)
      await maker.add('open_shift_signup', {
        program_id: plan.id,
        open_shift_id: open,
        student_id: student,
        state,
        assignment_id: assignment,
        hindrance: '',
        created_at: stamp(3),
        ended_at: null,
        ended_as: null,
      })
  }
}
