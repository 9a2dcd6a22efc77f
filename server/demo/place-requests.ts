import { addDays } from '#contract/core/calendar.ts'
import type { MadeProgram, Maker } from './maker.ts'

/** A term after every plan of the demo, so that what was accepted limits none of them. */
const termAhead = { from: 400, through: 484 }

/** Requests for places of a later term: one waits late, one is to be decided, one was accepted and one declined. */
export const makePlaceRequests = async (
  maker: Maker,
  { plan, sites }: MadeProgram,
  staff: number,
): Promise<void> => {
  const stamp = (hoursAgo: number) => new Date(maker.now - hoursAgo * 3_600_000).toISOString()
  const start = addDays(maker.today, termAhead.from)
  const end = addDays(maker.today, termAhead.through)
  const answers = [
    { answer: 'fewer', places: 4, words: 'Two of our preceptors are on leave that term.', isAccepted: null },
    { answer: null, places: null, words: '', isAccepted: null },
    { answer: 'yes', places: 6, words: '', isAccepted: true },
    { answer: 'no', places: 0, words: 'We are moving to the new building.', isAccepted: true },
  ]
  for (const [index, given] of answers.entries()) {
    const site = sites[index]
    if (!site) return
    const isAnswered = given.answer !== null
    await maker.add('place_request', {
      program_id: plan.id,
      site_id: site.id,
      site_shift_id: null,
      student_level_id: null,
      start_date: start,
      end_date: end,
      places: 6,
      note: index === 0 ? 'The second-year cohort, days or evenings.' : '',
      recipient_name: 'Grace Whitfield',
      recipient_email: `placement@site${site.id}.example`,
      answer_by: addDays(maker.today, index === 1 ? -2 : 12),
      sent_at: stamp(200 + index),
      created_by: staff,
      reminded_at: index === 1 ? stamp(100) : null,
      late_at: index === 1 ? stamp(24) : null,
      answer: given.answer,
      offered_places: given.places,
      offered_from: isAnswered ? start : null,
      offered_through: isAnswered ? end : null,
      words: given.words,
      answered_at: isAnswered ? stamp(30 + index) : null,
      is_accepted: given.isAccepted,
      decided_at: given.isAccepted === null ? null : stamp(6),
      decided_by: given.isAccepted === null ? null : staff,
      withdrawn_at: null,
    })
  }
}
