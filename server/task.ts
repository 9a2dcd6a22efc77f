import './core/runtime/output.ts'

import { setPriority } from 'node:os'
import type { TaskOrder } from '#server/core/runtime/task-process.ts'

// Calls are answered first. Nobody is left to begin the task again when the worker is gone, so this ends with it.
setPriority(5)
process.once('disconnect', () => process.exit(1))
const loading = import('./task-work.ts')
process.once('message', async (order: TaskOrder) => (await loading).work(order))
