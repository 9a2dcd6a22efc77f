import { IconCloudUpload } from '@tabler/icons-react'
import { useCallback } from 'react'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import type { QueueKind } from '#web/api/queue/item.ts'
import { drop, isWaiting } from '#web/api/queue/queue.ts'
import type { Kept } from '#web/api/queue/stores.ts'
import { useKept } from '#web/api/queue/use-kept.ts'
import { useUser } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './KeptHere.module.css'

/** What of one kind waits on this device, and what the server refused of it, until it was seen. */
export function KeptHere<E extends AnyEndpoint>(props: {
  kind: QueueKind<E>
  /** Said when the server has taken something that waited. */
  sentText: string
  waitingText: (item: Kept) => string
  refusedText: (item: Kept, reason: string) => string
}) {
  const { kind, sentText } = props
  const words = useWords()
  const { Id: account } = useUser()
  const tell = useCallback(() => toast.done(sentText), [sentText])
  const kept = useKept(kind, account, tell) ?? []
  return kept.map((item) =>
    isWaiting(item) ? (
      <p key={item.key} role="status" className={classes.waiting}>
        <IconCloudUpload size={18} stroke={1.75} aria-hidden />
        <span>
          {props.waitingText(item)} {!item.isLasting && words('ui.keptOnPage')}
        </span>
      </p>
    ) : (
      <div key={item.key} role="alert" className={classes.refused}>
        <p>{props.refusedText(item, item.refusal ?? '')}</p>
        <Button variant="default" onClick={() => void drop(item)}>
          {words('ui.keptSeen')}
        </Button>
      </div>
    ),
  )
}
