import { punch } from '#contract/time/clock.ts'
import { queueKind } from '#web/api/queue/item.ts'

/** Punches wait in one group: a clock-out never overtakes its clock-in. */
export const punchKind = queueKind({
  name: 'punch',
  call: punch,
  // By it the server sees how far the phone's clock is off.
  atSending: ({ body }) => ({ body: { ...body, SentAt: new Date().toISOString() } }),
})
