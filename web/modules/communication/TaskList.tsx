import { IconDownload } from '@tabler/icons-react'
import { type BackgroundTask, cancelTask, getTask, listTasks } from '#contract/tasks/tasks.ts'
import { isOpen, taskFileAddress } from '#web/api/task.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { taskProgress } from '#web/shell/task-progress.ts'
import { useFile } from '#web/shell/use-file.ts'
import { Button } from '#web/ui/buttons.ts'
import { Meter } from '#web/ui/charts/Meter.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { fileSize } from '#web/ui/file-size.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'

const pollMs = 5_000

/** The own files and imports that the worker prepares, and those that are kept for a day. Nothing when there are none. */
export function TaskList() {
  const words = useWords()
  const tasks = useRead(listTasks, {}, { refetchEveryMs: pollMs })
  const shown = (tasks.data ?? []).filter(({ State }) => State !== 'canceled')
  if (shown.length === 0) return null
  return (
    <section className={classes.tasks} aria-label={words('communication.files')}>
      <h2>{words(shown.some(isOpen) ? 'communication.filesOpen' : 'communication.files')}</h2>
      <ul className={classes.list}>
        {shown.map((task) => (
          <TaskRow key={task.Id} task={task} />
        ))}
      </ul>
    </section>
  )
}

function TaskRow({ task }: { task: BackgroundTask }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const file = useFile()
  const cancel = useSave(cancelTask, { refresh: [listTasks, getTask] })
  const { Name, State, Done, Total, ExpireDate, ByteCount } = task
  const until = ExpireDate && formatInstant(ExpireDate, timeZone)
  const progress = taskProgress(task, words)
  return (
    <li className={classes.task}>
      <div className={classes.text}>
        <b>{Name}</b>
        {isOpen(task) && (
          <>
            <span className={classes.hint} role="status">
              {progress}
            </span>
            {Total !== null && Done > 0 && <Meter value={Done} most={Total} label={progress} />}
          </>
        )}
        {State === 'failed' && (
          <span className={classes.hint} data-bad>
            {task.Error}
          </span>
        )}
        {State === 'done' && task.Kind === 'file' && (
          <span className={classes.hint}>
            {words('communication.fileUntil', { when: until ?? '', size: fileSize(ByteCount ?? 0) })}
          </span>
        )}
        {State === 'done' && task.Kind !== 'file' && (
          <span className={classes.hint}>
            {words(task.Kind === 'undo' ? 'communication.undoDone' : 'communication.importDone', {
              count: (Total ?? 0).toLocaleString('en-US'),
            })}
          </span>
        )}
      </div>
      {isOpen(task) && (
        <Button
          variant="default"
          size="xs"
          loading={cancel.isRunning}
          aria-label={words('shell.cancelFile', { name: Name })}
          onClick={() =>
            void cancel
              .run({ params: { taskId: task.Id } })
              .catch((error: Error) => toast.error(error.message))
          }
        >
          {words('shell.cancelTask')}
        </Button>
      )}
      {State === 'done' && task.Kind === 'file' && (
        <Button
          variant="default"
          size="xs"
          component="a"
          href={taskFileAddress(task.Id)}
          onClick={file.onClick}
          aria-label={words('communication.downloadNamed', { name: Name })}
          leftSection={<IconDownload size={15} stroke={1.75} aria-hidden />}
        >
          {words('communication.downloadFile')}
        </Button>
      )}
      {!isOpen(task) && task.Page !== '' && (
        <RouterLink href={task.Page} className={classes.link}>
          {words('communication.openImports')}
        </RouterLink>
      )}
    </li>
  )
}
