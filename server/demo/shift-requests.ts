import { addDays, formatDate } from '#contract/core/calendar.ts'
import type { Duty, MadeProgram, Maker } from './maker.ts'

/** The requests of the demo, newest last; `student` counts among those with shifts to come. */
const kinds = [
  { kind: 'cover', state: 'done', note: '', reason: '' },
  {
    kind: 'swap',
    state: 'declined',
    note: 'My exam was moved',
    reason: 'You need your hours in surgery first.',
  },
  { kind: 'cover', state: 'open', note: 'Family wedding', reason: '' },
  { kind: 'swap', state: 'open', note: 'Any evening that week works for me', reason: '' },
  { kind: 'swap', state: 'pending', note: '', reason: '' },
  { kind: 'cover', state: 'pending', note: 'Dentist', reason: '' },
] as const

const lineOf = ({ date, shift }: Duty): string =>
  `${formatDate(date)} ${shift.start}–${shift.end}, ${shift.site.name}`

/** Swaps and covers in all states: offered, waiting for approval, over. */
export const makeShiftRequests = async (
  maker: Maker,
  { plan, duties }: MadeProgram,
  staff: number,
): Promise<void> => {
  const stamp = (hoursAgo: number) => new Date(maker.now - hoursAgo * 3_600_000).toISOString()
  const from = addDays(maker.today, 8)
  const next = [
    ...Map.groupBy(
      duties.filter(({ date }) => date >= from),
      ({ student }) => student.id,
    ).values(),
  ].map(([first]) => first as Duty)
  for (const [index, { kind, state, note, reason }] of kinds.entries()) {
    const [given, other] = [next[index * 2 + 4], next[index * 2 + 5]]
    if (!given || !other) return
    const isTaken = state !== 'open'
    const isOver = state === 'done' || state === 'declined'
    const returned = kind === 'swap' && isTaken ? other : undefined
    const hours = (kinds.length - index) * 9
    const id = await maker.add('shift_request', {
      program_id: plan.id,
      kind,
      assignment_id: given.id,
      student_id: state === 'done' ? other.student.id : given.student.id,
      is_to_all: true,
      note,
      state,
      taker_id: isTaken ? (state === 'done' ? given.student.id : other.student.id) : null,
      returned_id: returned?.id ?? null,
      approval: 'staff',
      reason,
      line: lineOf(given),
      returned_line: returned ? lineOf(returned) : '',
      expires_at: given.startsAt,
      created_at: stamp(hours),
      taken_at: isTaken ? stamp(hours - 3) : null,
      decided_at: isOver ? stamp(hours - 5) : null,
      decided_by: isOver ? staff : null,
    })
    const giver = state === 'done' ? other : given
    const taker = state === 'done' ? given : other
    const events = [
      { actor: giver, action: 'offered', detail: 'To everyone who could take it', ago: hours },
      ...(isTaken
        ? [
            {
              actor: taker,
              action: 'taken',
              detail: returned ? `In return: ${lineOf(returned)}` : '',
              ago: hours - 3,
            },
          ]
        : []),
    ]
    for (const { actor, action, detail, ago } of events)
      await maker.add('shift_request_event', {
        program_id: plan.id,
        change_id: id,
        at: stamp(ago),
        actor: `${actor.student.first} ${actor.student.last}`,
        action,
        detail,
      })
    if (isOver)
      await maker.add('shift_request_event', {
        program_id: plan.id,
        change_id: id,
        at: stamp(hours - 5),
        actor: 'Dana Whitfield',
        action: state,
        detail: reason,
      })
  }
}
