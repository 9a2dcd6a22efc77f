import type { ConnectionStage } from '#contract/connections/connections.ts'
import { lastWordOf } from '#contract/core/last-word.ts'
import type { Status } from '#web/ui/StatusTag.tsx'

/** How a connection of a college looks in a list, by its state. */
export const connectionStatuses = {
  working: 'approved',
  failing: 'careful',
  unused: 'pending',
  awaits_lms: 'pending',
  awaits_approval: 'careful',
} satisfies Record<string, Status>

/** The state of a connection: what is left to do first, then whether its last word was an error. */
export const stateOf = ({
  Stage = 'on',
  ...dates
}: {
  Stage?: ConnectionStage
  LastErrorDate: string | null
  LastSuccessDate: string | null
}): keyof typeof connectionStatuses => (Stage === 'on' ? lastWordOf(dates) : Stage)
