import { Button, type ButtonProps } from '@mantine/core'
import { useContext } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { LeaveDialog } from './form/unsaved.ts'

/** Leaves the dialog whose foot it is in, after a question when something in it is unsaved. It says Cancel unless told otherwise. */
export function LeaveButton({ onClick, children, ...props }: ButtonProps & { onClick: () => void }) {
  const words = useWords()
  const leave = useContext(LeaveDialog)
  return (
    <Button variant="default" {...props} onClick={() => leave(onClick)}>
      {children ?? words('ui.cancel')}
    </Button>
  )
}
