import { Button } from '@mantine/core'
import { IconCloudUpload } from '@tabler/icons-react'
import { useCallback } from 'react'
import { drop, isWaiting } from '#web/api/queue/queue.ts'
import type { Kept } from '#web/api/queue/shelves.ts'
import { useKept } from '#web/api/queue/use-kept.ts'
import { useUser } from '#web/api/use-state.ts'
import { formatDate } from '#web/ui/dates.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { LinesToSend } from './log-sending.ts'
import { procedureKind } from './procedure-kind.ts'
import classes from './procedure-log.module.css'

/** `sendLines` keeps nothing else. */
const dayOf = (item: Kept) => item.input.body as LinesToSend

/** What the student logged that waits on this device, and what the server refused of it, until it was seen. */
export function WaitingLines() {
  const words = useWords()
  const { Id: account } = useUser()
  const tell = useCallback(() => toast.done(words('procedureLog.sentLate')), [words])
  const kept = useKept(procedureKind, account, tell) ?? []
  return kept.map((item) => {
    const day = dayOf(item)
    const count = day.Lines.reduce((sum, { Count }) => sum + Count, 0)
    const date = formatDate(day.Date)
    return isWaiting(item) ? (
      <p key={item.key} role="status" className={classes.waitingHere}>
        <IconCloudUpload size={17} stroke={1.75} aria-hidden />
        {words('procedureLog.waitingHere', { count, date })}{' '}
        {!item.isLasting && words('procedureLog.waitingOnPage')}
      </p>
    ) : (
      <div key={item.key} role="alert" className={classes.refusedHere}>
        <p>{words('procedureLog.refusedHere', { count, date, reason: item.refusal ?? '' })}</p>
        <Button variant="default" onClick={() => void drop(item)}>
          {words('procedureLog.seen')}
        </Button>
      </div>
    )
  })
}
