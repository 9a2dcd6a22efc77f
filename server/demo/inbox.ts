import { createHash } from 'node:crypto'
import { sharedSupervisor } from './accounts.ts'
import type { MadeProgram, Maker, ProgramPlan } from './maker.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The inbox by link is on; the first program has mailed the shared supervisor a link that is open on a phone. */
export const makeInbox = async (
  maker: Maker,
  plan: ProgramPlan,
  supervisors: MadeProgram['supervisors'],
): Promise<void> => {
  await maker.put('inbox_setting', { program_id: plan.id, is_on: true })
  if (plan.suffix !== '') return
  const stamp = (ago: number): string => new Date(maker.now - ago).toISOString()
  const hash = (name: string): string =>
    `\\x${createHash('sha256').update(`demo inbox ${name}`).digest('hex')}`
  const link = await maker.add('scoped_link', {
    program_id: plan.id,
    kind: 'inbox',
    subject_id: supervisors[1]?.id ?? supervisors[0]!.id,
    recipient_name: `${sharedSupervisor.first} ${sharedSupervisor.last}`,
    recipient_email: sharedSupervisor.email,
    token_hash: hash('link'),
    expires_at: stamp(-4 * day),
    created_at: stamp(3 * day),
    created_by: null,
  })
  const opened = stamp(2 * day + 40 * minute)
  await maker.add('scoped_link_device', {
    program_id: plan.id,
    link_id: link,
    secret_hash: hash('device'),
    created_at: opened,
    opened_at: opened,
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  })
  await maker.add('scoped_link_use', {
    program_id: plan.id,
    link_id: link,
    at: opened,
    action: 'opened',
    address: '192.0.2.44',
  })
}
