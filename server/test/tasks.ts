import { getTaskImport, type TaskAnswer } from '#contract/tasks/tasks.ts'
import { runTask } from '#server/core/http/run-task.ts'
import { routeOf } from '#server/prepared.ts'
import type { Caller, Installation, Reply } from './installation.ts'

/** Does what is queued for the worker, the oldest first. */
export const runTasks = async ({ owner, services }: Installation): Promise<void> => {
  const { rows } = await owner.query<{ programId: number; taskId: number }>(
    `select program_id as "programId", id as "taskId" from background_task where state = 'queued' order by id`,
  )
  for (const each of rows) await runTask(services, routeOf, each)
}

/** What the import of a file answers, also when it was too large to be answered at once. */
export const importAnswer = async <A>(
  installation: Installation,
  caller: Caller,
  reply: Reply<A>,
): Promise<Reply<A>> => {
  if (reply.status !== 202) return reply
  await runTasks(installation)
  // With 202 the answer is a task.
  const { Task } = reply.body as unknown as TaskAnswer
  return (await caller.call(getTaskImport, { params: { taskId: Task.Id } })) as unknown as Reply<A>
}
