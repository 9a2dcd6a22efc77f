import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import { taskProgress } from '#web/shell/task-progress.ts'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './imports.module.css'

/** How far the check of a large file is, and a way to cancel it. */
export function TaskLine({ task, onCancel }: { task: BackgroundTask; onCancel: () => void }) {
  const words = useWords()
  return (
    <p className={classes.task} role="status">
      <span>
        <b>{task.Name}</b>: {taskProgress(task, words)}
      </span>
      <Button variant="default" size="xs" onClick={onCancel}>
        {words('shell.cancelTask')}
      </Button>
    </p>
  )
}
