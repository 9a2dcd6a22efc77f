import { InboxProcedures } from './modules/competencies/InboxProcedures.tsx'
import { InboxEvaluations } from './modules/evaluations/InboxEvaluations.tsx'
import { InboxPage } from './modules/inbox/InboxPage.tsx'
import { InboxRequests } from './modules/inbox/InboxRequests.tsx'
import { InboxHours } from './modules/time/InboxHours.tsx'

/** What the inbox by link shows of each program, in this order. */
const parts = [InboxHours, InboxProcedures, InboxEvaluations, InboxRequests] as const

/** The inbox with the parts that the modules bring. */
export function Inbox() {
  return <InboxPage parts={parts} />
}
