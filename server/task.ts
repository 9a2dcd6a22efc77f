import { setPriority } from 'node:os'
import { createLog } from '#server/core/runtime/log.ts'
import type { TaskOrder } from '#server/core/runtime/task-process.ts'
import { runTask } from './core/http/run-task.ts'
import { routeOf } from './prepared.ts'
import { openServices } from './services.ts'

// Calls are answered first. Nobody is left to begin the task again when the worker is gone, so this ends with it.
setPriority(5)
process.once('disconnect', () => process.exit(1))
process.once('message', async ({ config, databaseUrl, publicUrl, payload }: TaskOrder) => {
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
})
