import { type BackgroundTask, getTask, getTaskFile, type TaskAnswer } from '#contract/tasks/tasks.ts'
import { assure, givenReason } from './assurance.ts'
import { call, callAddress, errorOf, goToLogin, unanswered } from './call.ts'
import { onLiveEvent } from './live.ts'
import { saveFile } from './save-file.ts'

const pollMs = 2_000

export const isOpen = ({ State }: Pick<BackgroundTask, 'State'>): boolean =>
  State === 'queued' || State === 'running'

/**
 * Follows a task until it has ended: by the server's stream, and by asking now and then while there is none.
 *
 * @throws CallError; what the signal is aborted with
 */
export const followTask = async (
  begun: BackgroundTask,
  onChange: (task: BackgroundTask) => void,
  signal: AbortSignal,
): Promise<BackgroundTask> => {
  let task = begun
  while (isOpen(task)) {
    onChange(task)
    await new Promise<void>((resolve) => {
      const next = (): void => {
        clearTimeout(timer)
        leave()
        signal.removeEventListener('abort', next)
        resolve()
      }
      const timer = setTimeout(next, pollMs)
      const leave = onLiveEvent('tasks', next)
      signal.addEventListener('abort', next, { once: true })
    })
    signal.throwIfAborted()
    task = await call(getTask, { params: { taskId: task.Id } }, { signal, isBackground: true })
  }
  return task
}

/** Where the file of a task is. */
export const taskFileAddress = (taskId: number): string => callAddress(getTaskFile, { params: { taskId } })

const nameOf = (response: Response): string => {
  const [, name = ''] =
    /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return decodeURIComponent(name)
}

/**
 * Downloads a file of ours; answers the task where the worker has to prepare it first.
 *
 * @throws CallError
 */
export const downloadFile = async (address: string): Promise<BackgroundTask | undefined> => {
  const reason = givenReason()
  const response = await fetch(address, reason ? { headers: { 'x-reason': reason } } : undefined).catch(
    () => {
      throw unanswered()
    },
  )
  if (response.status === 202) return ((await response.json()) as TaskAnswer).Task
  if (!response.ok) {
    const error = await errorOf(response)
    if (error.code === 'signed_out') goToLogin()
    if (await assure(error.body)) return downloadFile(address)
    throw error
  }
  saveFile(await response.blob(), nameOf(response))
  return undefined
}
