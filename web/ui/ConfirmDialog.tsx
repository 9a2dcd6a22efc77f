import { Button } from '@mantine/core'
import { plainWords } from '#web/words/plain-words.ts'
import type { OpenQuestion } from './confirm.ts'
import { Dialog } from './Dialog.tsx'

/** The dialog behind `confirm()`. */
export function ConfirmDialog({ question }: { question: OpenQuestion }) {
  const {
    text,
    title,
    detail,
    verb = plainWords('ui.yes'),
    cancel = plainWords('ui.cancel'),
    danger,
    answer,
  } = question
  return (
    <Dialog
      opened
      onClose={() => answer(false)}
      title={title ?? text}
      width={440}
      actions={
        <>
          <Button variant="default" onClick={() => answer(false)} data-autofocus={danger || undefined}>
            {cancel}
          </Button>
          <Button
            color={danger ? 'red' : undefined}
            onClick={() => answer(true)}
            data-autofocus={danger ? undefined : true}
          >
            {verb}
          </Button>
        </>
      }
    >
      {title && <p style={{ margin: 0 }}>{text}</p>}
      {detail}
    </Dialog>
  )
}
