import type { Kept } from '#web/api/queue/stores.ts'
import { KeptHere } from '#web/shared/KeptHere.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import type { LinesToSend } from './log-sending.ts'
import { procedureKind } from './procedure-kind.ts'

/** `sendLines` keeps nothing else. */
const dayOf = ({ input }: Kept) => {
  const { Date: date, Lines } = input.body as LinesToSend
  return { date: formatDate(date), count: Lines.reduce((sum, { Count }) => sum + Count, 0) }
}

/** What the student logged that waits on this device, and what the server refused of it. */
export function WaitingLines() {
  const words = useWords()
  return (
    <KeptHere
      kind={procedureKind}
      sentText={words('procedureLog.sentLate')}
      waitingText={(item) => words('procedureLog.waitingHere', dayOf(item))}
      refusedText={(item, reason) => words('procedureLog.refusedHere', { ...dayOf(item), reason })}
    />
  )
}
