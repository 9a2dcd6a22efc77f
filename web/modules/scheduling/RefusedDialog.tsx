import type { PlacementFinding } from '#contract/scheduling/assignments.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './scheduling.module.css'

type Props = { refused: readonly PlacementFinding[]; onClose: () => void }

/** The refusals of one go, each with its rules, person and day; the same sentence for several is reported once. Warnings refuse nobody. */
export function RefusedDialog({ refused, onClose }: Props) {
  const words = useWords()
  const messages = new Map<string, number>()
  for (const { Message, Also = [] } of refused)
    for (const each of [{ Message, IsWarning: false }, ...Also])
      if (!each.IsWarning) messages.set(each.Message, (messages.get(each.Message) ?? 0) + 1)
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
