import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import type { useWords } from '#web/words/use-words.ts'

/** How far a task is, in words: 'Preparing 34,120 of 62,844 rows'. */
export const taskProgress = (
  { Kind, State, Done, Total }: Pick<BackgroundTask, 'Kind' | 'State' | 'Done' | 'Total'>,
  words: ReturnType<typeof useWords>,
): string => {
  if (State === 'queued') return words('shell.taskQueued')
  const figures = {
    done: Done.toLocaleString('en-US'),
    count: (Total ?? 0).toLocaleString('en-US'),
  }
  if (Kind === 'file')
    return words(
      Total === null ? 'shell.preparing' : Done === 0 ? 'shell.preparingAll' : 'shell.preparingRows',
      figures,
    )
  return words(
    Total === null ? 'shell.reading' : Done === 0 ? 'shell.checkingRows' : 'shell.importingRows',
    figures,
  )
}
