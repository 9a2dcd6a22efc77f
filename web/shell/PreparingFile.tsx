import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import { useWords } from '#web/words/use-words.ts'
import { taskProgress } from './task-progress.ts'

/** In place of an export's button while the worker prepares the file: how far it is, and a way to cancel. */
export function PreparingFile({ task, onCancel }: { task: BackgroundTask; onCancel: () => void }) {
  const words = useWords()
  return (
    <Button.Group>
      <Button.GroupSection variant="default" role="status" title={words('shell.mayLeave')}>
        {taskProgress(task, words)}
      </Button.GroupSection>
      <Button
        variant="default"
        px={8}
        aria-label={words('shell.cancelFile', { name: task.Name })}
        title={words('shell.cancelFile', { name: task.Name })}
        onClick={onCancel}
      >
        <IconX size={16} stroke={2} aria-hidden />
      </Button>
    </Button.Group>
  )
}
