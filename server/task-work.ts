import { createLog } from '#server/core/runtime/log.ts'
import type { TaskOrder } from '#server/core/runtime/task-process.ts'
import { runTask } from './core/http/run-task.ts'
import { routeOf } from './prepared.ts'
import { openServices } from './services.ts'

/** Does one task, and ends the process: with 0, or with 1 when the task has to be begun again. */
export const work = async ({ config, databaseUrl, publicUrl, payload }: TaskOrder): Promise<void> => {
  const log = createLog(config.logLevel)
  const undo: (() => Promise<unknown>)[] = []
  const services = await openServices(
    { ...config, appUrl: config.appUrl ?? publicUrl },
    log,
    { databaseUrl, connections: { transactions: 1, pool: 2 } },
    undo,
  )
  try {
    await runTask(services, routeOf, payload)
    for (const step of undo.reverse()) await step()
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'A task was broken off')
    process.exit(1)
  }
}
