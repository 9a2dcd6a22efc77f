import { addDays } from '#contract/core/calendar.ts'
import { minutesLater } from './calendar.ts'
import type { MadeStudent, Maker, ProgramPlan } from './maker.ts'

/** Emails of the last days in every state: queued, sent, failed and being sent. */
const mails = [
  {
    status: 1,
    label: 'PLACEMENT_made',
    subject: 'Your next shifts',
    html: '<p>Your schedule has new shifts.</p>',
  },
  {
    status: 3,
    label: 'TIME_approved',
    subject: 'Your hours were approved',
    html: '<p>Your coordinator approved 17.0 h of last week.</p>',
  },
  {
    status: 3,
    label: 'EVALUATION_late',
    subject: 'An evaluation is overdue',
    html: '<p>Site and instructor was due on Friday. It takes two minutes.</p>',
  },
  {
    status: 4,
    label: 'PLACEMENT_made',
    subject: 'Your next shifts',
    html: '<p>Your schedule has new shifts.</p>',
  },
  {
    status: 2,
    label: 'REQUIREMENT_expiring',
    subject: 'Your CPR card expires soon',
    html: '<p>Your CPR card expires in 30 days. Upload a new one in time to keep your placements.</p>',
  },
] as const

/** Emails to the first students, one of each of the above, and one that the blacklist kept back. */
export const makeEmails = async (
  maker: Maker,
  plan: ProgramPlan,
  students: readonly MadeStudent[],
): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  for (const [index, { status, label, subject, html }] of mails.entries()) {
    const at = minutesLater(stamp, -index * 400)
    await maker.add('mail', {
      program_id: plan.id,
      account_id: students[index % students.length]?.id,
      label,
      recipient: `student${index}@example.org`,
      sender: '',
      carbon_copy: [],
      subject,
      html,
      status,
      status_message: status === 4 ? '550 No such mailbox' : status === 3 ? 'Sent' : '',
      attempts: status === 4 ? 3 : 1,
      send_after: status === 1 || status === 2 ? addDays(maker.today, 3) : at,
      sent_at: status === 3 ? at : null,
      blocked_at: null,
      created_at: at,
    })
  }
  await maker.add('mail', {
    program_id: plan.id,
    account_id: null,
    label: 'AGREEMENT_expiring',
    recipient: 'former.liaison@hgh.example',
    sender: '',
    carbon_copy: [],
    subject: 'Your affiliation agreement ends soon',
    html: '<p>The affiliation agreement ends in 30 days.</p>',
    status: 4,
    status_message: 'Blocked: former.liaison@hgh.example is a blocked address. It was not sent.',
    attempts: 0,
    send_after: stamp,
    sent_at: null,
    blocked_at: stamp,
    created_at: stamp,
  })
}
