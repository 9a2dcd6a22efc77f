import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { LoadedConfig } from '#server/core/config/config.ts'
import { transaction } from '#server/core/database/pool.ts'
import { type Job, job } from './jobs.ts'
import type { Services } from './services.ts'
import { putBack, TaskPayload, taskJobNames } from './tasks.ts'

/** What the process of a task is told. */
export interface TaskOrder {
  config: LoadedConfig
  databaseUrl: string
  publicUrl: string
  payload: TaskPayload
}

/**
 * Does tasks in processes of their own: neither their memory nor their processor time is the calls', and whatever ends such a
 * process ends nothing else.
 *
 * @param program what they run, `server/task.ts`
 */
export const createTaskRunner = (program: string, databaseUrl: string) => {
  const children = new Set<ChildProcess>()
  let isStopped = false

  const run = async (payload: TaskPayload, services: Services): Promise<void> => {
    if (isStopped) throw new Error('The worker is stopping; the task is begun again after it.')
    const child = fork(program, [], {
      execArgv: ['--max-old-space-size=1024'],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    children.add(child)
    const order: TaskOrder = {
      config: services.config,
      databaseUrl,
      publicUrl: services.publicUrl(),
      payload,
    }
    child.send(order)
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    children.delete(child)
    if (code === 0) return
    services.log.warn(`The process of task ${payload.taskId} ended with ${code ?? signal}`)
    await transaction(services.pool, { accountId: null, programIds: [payload.programId] }, (db) =>
      putBack(db, payload, { isStopped }),
    )
  }

  return {
    run,
    /** The ids of the processes that work now. */
    processes: () => [...children].map(({ pid }) => pid),
    /** Each for a lane of its own. */
    jobs: [...new Set(Object.values(taskJobNames))].map((name) =>
      job({ name, payload: TaskPayload, work: run }),
    ) as Job[],
    /** Ends what runs; it is begun again by the next worker. */
    stop: async (): Promise<void> => {
      isStopped = true
      await Promise.all(
        [...children].map(async (child) => {
          const ended = once(child, 'exit')
          child.kill('SIGKILL')
          await ended
        }),
      )
    },
  }
}
