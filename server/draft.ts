import { setPriority } from 'node:os'
import { type DraftTask, makeDraft } from './modules/placement/draft/drafting.process.ts'
import { type ConflictTask, findPlanConflict } from './modules/placement/solve/conflicts.process.ts'

// As a task: calls are answered first, and it ends with the worker that began it.
setPriority(5)
process.once('disconnect', () => process.exit(1))
process.once('message', async (task: DraftTask | ConflictTask) => {
  if ('parts' in task) await makeDraft(task, (progress) => process.send?.(progress))
  else process.send?.(await findPlanConflict(task))
  // What was sent last has arrived once the channel closes by itself.
  process.removeAllListeners('disconnect')
  process.disconnect()
})
