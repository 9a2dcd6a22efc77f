import { Button } from '@mantine/core'
import type { PlacementFinding } from '#contract/scheduling/assignments.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './scheduling.module.css'

type Props = { refused: readonly PlacementFinding[]; onClose: () => void }

/** The refusals of one go, each with its rule, person and day; the same sentence for several is reported once. */
export function RefusedDialog({ refused, onClose }: Props) {
  const words = useWords()
  const messages = new Map<string, number>()
  for (const { Message, Also = [] } of refused)
    for (const each of [Message, ...Also.map((also) => also.Message)])
      messages.set(each, (messages.get(each) ?? 0) + 1)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('scheduling.refusedTitle', { count: refused.length })}
      actions={<Button onClick={onClose}>{words('scheduling.close')}</Button>}
    >
      <ul className={classes.refusals}>
        {[...messages].map(([message, count]) => (
          <li key={message}>
            {message}
            {count > 1 && <b> ×{count}</b>}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
