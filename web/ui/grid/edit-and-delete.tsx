import { IconPencil, IconTrash } from '@tabler/icons-react'
import { plainWords } from '#web/words/plain-words.ts'
import type { RowAction } from './grid-types.ts'

const icon = { size: 16, stroke: 1.75 }

/** "Edit" with the pencil; `more` for another label, or the reason why not. */
export const editAction = (onRun: () => void, more?: Partial<RowAction>): RowAction => ({
  label: plainWords('ui.edit'),
  icon: <IconPencil {...icon} />,
  quick: true,
  onRun,
  ...more,
})

/** "Delete" with the bin; `more` for another label, or the reason why not. */
export const deleteAction = (onRun: () => void, more?: Partial<RowAction>): RowAction => ({
  label: plainWords('ui.delete'),
  icon: <IconTrash {...icon} />,
  quick: true,
  tone: 'danger',
  onRun,
  ...more,
})
