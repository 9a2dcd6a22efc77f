import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { plainWords } from '#web/words/plain-words.ts'
import { DisabledReason } from './DisabledReason.tsx'

export type AddNewProps = {
  onClick: () => void
  /** What is added, where a page adds several kinds of things or the specification names the button. */
  label?: string
  /** Why it cannot be done now. */
  reason?: string | false
}

/** The button at the top of a list that adds to it. */
export function AddNew({ onClick, label = plainWords('ui.addNew'), reason }: AddNewProps) {
  return (
    <DisabledReason reason={reason}>
      <Button leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />} onClick={onClick}>
        {label}
      </Button>
    </DisabledReason>
  )
}
