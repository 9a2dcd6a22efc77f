import type { State } from '#contract/requirements/requirement-rules.ts'
import { formatDate } from '#web/ui/dates.ts'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

/** How each state of a requirement looks, its word, and its word with the day on which it ends. */
export const requirementLooks: Record<State, readonly [Status, WordKey, WordKey?]> = {
  missing: ['rejected', 'requirements.stateMissing'],
  returned: ['careful', 'requirements.stateReturned'],
  expired: ['rejected', 'requirements.stateExpired', 'requirements.stateExpiredOn'],
  submitted: ['pending', 'requirements.stateSubmitted'],
  expiring: ['review', 'requirements.stateExpiring', 'requirements.stateExpiringOn'],
  inProgress: ['clean', 'requirements.stateInProgress', 'requirements.stateInProgressBy'],
  accepted: ['approved', 'requirements.stateAccepted', 'requirements.stateAcceptedTo'],
  waived: ['unmatched', 'requirements.stateWaived', 'requirements.stateWaivedTo'],
  notDue: ['pending', 'requirements.stateNotDue'],
}

/** How a requirement is, with the day on which that ends. */
export function RequirementState({ state, until = null }: { state: State; until?: string | null }) {
  const words = useWords()
  const [status, word, withDay] = requirementLooks[state]
  return (
    <StatusTag status={status}>
      {until !== null && withDay ? words(withDay, { date: formatDate(until) }) : words(word)}
    </StatusTag>
  )
}
