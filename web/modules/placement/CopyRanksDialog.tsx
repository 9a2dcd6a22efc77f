import { useState } from 'react'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Checkbox } from '#web/ui/inputs.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './ranking-blocks.module.css'

export type CopyRanksDialogProps = {
  blocks: readonly { StartDate: string; EndDate: string }[]
  lists: readonly (readonly number[])[]
  /** The block whose ranking is copied. */
  from: number
  onClose: () => void
  onCopy: (blocks: number[]) => void
}

/** To which other blocks the ranking of one is copied; those that are not ranked yet are chosen. */
export function CopyRanksDialog({ blocks, lists, from, onClose, onCopy }: CopyRanksDialogProps) {
  const words = useWords()
  const others = [...blocks.keys()].filter((block) => block !== from)
  const [chosen, setChosen] = useState(() => others.filter((block) => (lists[block]?.length ?? 0) === 0))
  const toggle = (block: number, isOn: boolean) =>
    setChosen((before) => (isOn ? [...before, block] : before.filter((each) => each !== block)))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('placement.copyTitle', { number: from + 1 })}
      actions={
        <DialogActions
          verb={words('placement.copyTo', { count: chosen.length })}
          onCancel={onClose}
          onRun={() => onCopy(chosen)}
          isDisabled={chosen.length === 0}
        />
      }
    >
      <ul className={classes.copy}>
        {others.length > 1 && (
          <li>
            <Checkbox
              checked={chosen.length === others.length}
              indeterminate={chosen.length > 0 && chosen.length < others.length}
              onChange={(event) => setChosen(event.currentTarget.checked ? others : [])}
              label={words('placement.allOtherBlocks')}
            />
          </li>
        )}
        {others.map((block) => {
          const at = blocks[block]
          const count = lists[block]?.length ?? 0
          return (
            <li key={block}>
              <Checkbox
                checked={chosen.includes(block)}
                onChange={(event) => toggle(block, event.currentTarget.checked)}
                label={words('placement.block', { number: block + 1 })}
                description={[
                  at && `${formatDate(at.StartDate)} – ${formatDate(at.EndDate)}`,
                  count > 0 ? words('placement.replacesRanks', { count }) : words('placement.notRankedYet'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              />
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
