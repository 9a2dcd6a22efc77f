import { punch } from '#contract/time/clock.ts'
import { queueKind } from '#web/api/queue/item.ts'

/** When punches of this visit were pressed, by a clock that nobody can set, by their moment. */
const pressed = new Map<string, number>()

/** Remembers that a punch is pressed now. */
export const notePress = (occurredAt: string): void => void pressed.set(occurredAt, performance.now())

const waited = (occurredAt: string | undefined): { BeforeSending?: number } => {
  const at = occurredAt === undefined ? undefined : pressed.get(occurredAt)
  return at === undefined ? {} : { BeforeSending: Math.round(performance.now() - at) }
}

/** Punches wait in one group: a clock-out never overtakes its clock-in. */
export const punchKind = queueKind({
  name: 'punch',
  call: punch,
  staysUntilRead: true,
  // By it the server sees how far the phone's clock is off.
  atSending: ({ body }) => ({
    body: { ...body, ...waited(body.OccurredAt), SentAt: new Date().toISOString() },
  }),
})
