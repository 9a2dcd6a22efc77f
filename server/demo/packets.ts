import { createHash } from 'node:crypto'
import { addDays } from '#contract/core/calendar.ts'
import type { MadeSite, MadeStudent, Maker, ProgramPlan } from './maker.ts'

/** Days that the demo's packet can be opened. */
const openDays = 14

/**
 * On which legal basis two sites are told, and a packet that one of them has opened. Its link opens nothing: nobody has the token.
 */
export const makePackets = async (
  maker: Maker,
  plan: ProgramPlan,
  students: readonly MadeStudent[],
  sites: readonly MadeSite[],
  staff: number,
): Promise<void> => {
  const { today } = maker
  const [first, second] = sites
  if (!first || !second) return
  const stamp = (minutesAgo: number) => new Date(maker.now - minutesAgo * 60_000).toISOString()
  await maker.put('site_disclosure', {
    program_id: plan.id,
    site_id: first.id,
    basis: 'schoolOfficial',
    notice_on: addDays(today, -90),
    agreement_on: addDays(today, -300),
    purpose: '',
    updated_at: stamp(0),
  })
  await maker.put('site_disclosure', {
    program_id: plan.id,
    site_id: second.id,
    basis: 'consent',
    notice_on: null,
    agreement_on: null,
    purpose: `Placement at ${second.name}`,
    updated_at: stamp(0),
  })
  const recipient = { name: 'Marion Pell', email: 'marion.pell@example.org' }
  const packet = await maker.add('site_packet', {
    program_id: plan.id,
    site_id: first.id,
    basis: 'schoolOfficial',
    on_day: addDays(today, -2),
    recipient_name: recipient.name,
    recipient_email: recipient.email,
    created_at: stamp(2 * 24 * 60),
    created_by: staff,
  })
  for (const [index, student] of students.slice(10, 16).entries())
    await maker.put('site_packet_student', {
      program_id: plan.id,
      packet_id: packet,
      student_id: student.id,
      name: `${student.last}, ${student.first}`,
      lines: ['CPR', 'Hepatitis B', 'Influenza', 'Background check'].map((Name, at) => ({
        Name,
        IsMet: !(index === 3 && at === 2),
        IsExempt: false,
        CompletedOn: addDays(today, -120 - index),
        ValidTo: at === 0 ? addDays(today, 240 + index) : null,
      })),
    })
  const link = await maker.add('scoped_link', {
    program_id: plan.id,
    kind: 'packet',
    subject_id: packet,
    recipient_name: recipient.name,
    recipient_email: recipient.email,
    token_hash: `\\x${createHash('sha256').update(`demo packet ${plan.id}`).digest('hex')}`,
    expires_at: new Date(maker.now + openDays * 86_400_000).toISOString(),
    created_at: stamp(2 * 24 * 60),
    created_by: staff,
  })
  await maker.add('scoped_link_use', {
    program_id: plan.id,
    link_id: link,
    at: stamp(26 * 60),
    action: 'opened',
    address: '192.0.2.17',
  })
}
