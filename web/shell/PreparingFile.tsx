import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import { Group, Text } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import { taskProgress } from './task-progress.ts'

/** In place of an export's button while the worker prepares the file: how far it is, and a way to cancel. */
export function PreparingFile({ task, onCancel }: { task: BackgroundTask; onCancel: () => void }) {
  const words = useWords()
  return (
    <Group gap={8}>
      <Text size="sm" c="var(--p-muted)" role="status" title={words('shell.mayLeave')}>
        {taskProgress(task, words)}
      </Text>
      <Button
        variant="default"
        aria-label={words('shell.cancelFile', { name: task.Name })}
        onClick={onCancel}
      >
        {words('shell.cancelTask')}
      </Button>
    </Group>
  )
}
