import type { Subscriber } from './core/runtime/events.ts'
import { pushes } from './modules/push/push.subscriber.ts'
import { shiftNotices } from './modules/scheduling/shift-notices.subscriber.ts'
import { approvalNotices } from './modules/time/approval-notices.subscriber.ts'
import { webhooks } from './modules/webhooks/webhooks.subscriber.ts'

/**
 * Who hears what: the consequences of a change, after it is committed. The change feed (`modules/changes`) and the count of progress
 * (`modules/progress`) read the events themselves.
 */
export const subscribers: readonly Subscriber[] = [shiftNotices, approvalNotices, webhooks, pushes]
