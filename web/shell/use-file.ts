import { useEffect, useRef, useState } from 'react'
import { type BackgroundTask, cancelTask } from '#contract/tasks/tasks.ts'
import { call } from '#web/api/call.ts'
import { downloadFile, followTask, taskFileAddress } from '#web/api/task.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** A file that a button downloads: at once, or after the worker has prepared it. Whoever leaves meanwhile is told by the bell. */
export const useFile = () => {
  const words = useWords()
  const [isAsking, setAsking] = useState(false)
  const [task, setTask] = useState<BackgroundTask>()
  const left = useRef<AbortController>(undefined)
  useEffect(() => {
    const leaving = new AbortController()
    left.current = leaving
    return () => leaving.abort()
  }, [])

  const follow = async (begun: BackgroundTask, signal: AbortSignal) => {
    const ended = await followTask(begun, setTask, signal)
    if (ended.State === 'failed') toast.error({ title: ended.Name, detail: ended.Error })
    if (ended.State !== 'done') return
    toast.done(words('shell.prepared', { name: ended.Name }))
    await downloadFile(taskFileAddress(ended.Id))
  }
  const download = async (address: string) => {
    const signal = left.current?.signal
    if (!signal || isAsking || task) return
    setAsking(true)
    try {
      const begun = await downloadFile(address)
      setAsking(false)
      if (begun) await follow(begun, signal)
    } catch (error) {
      if (!signal.aborted) toast.error((error as Error).message)
    }
    setAsking(false)
    setTask(undefined)
  }
  const cancel = async () => {
    if (!task) return
    try {
      await call(cancelTask, { params: { taskId: task.Id } })
    } catch (error) {
      toast.error((error as Error).message)
    }
  }
  return {
    task,
    isAsking,
    cancel,
    /** For what is no link. */
    download,
    /** For a link to the file: a click with a key held still opens the address itself. */
    onClick: (event: React.MouseEvent<HTMLAnchorElement>) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      void download(event.currentTarget.href)
    },
  }
}
