import { reportClockOut } from '#contract/time/clock.ts'
import { queueKind } from '#web/api/queue/item.ts'

/** When somebody left who did not clock out: it waits without holding up the next clock-in. */
export const clockOutKind = queueKind({
  name: 'clock-out',
  call: reportClockOut,
  staysUntilRead: true,
  groupOf: ({ params }) => String(params.recordId),
})
