import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import type { TaskAnswer } from '#contract/tasks/tasks.ts'
import type { User } from '#server/core/auth/session.ts'
import {
  type Db,
  type StreamWatch,
  type TransactionContext,
  transaction,
} from '#server/core/database/pool.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import { directWorkbookRows } from '#server/core/files/table.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { addTask, type LaterWork, TakesLong, type TaskInput } from '#server/core/runtime/tasks.ts'

class TooManyRows extends Error {}

/** Counts the rows of a workbook before they are read, no further than they matter. CSV is streamed whatever its length. */
export const countsRows = ({ mayBePrepared }: AnyEndpoint, query: unknown): StreamWatch | undefined =>
  mayBePrepared && (query as { Format?: string } | undefined)?.Format === 'xlsx'
    ? {
        countsTo: directWorkbookRows + 1,
        counted: (rows) => {
          if (rows > directWorkbookRows) throw new TooManyRows()
        },
      }
    : undefined

/**
 * Starts a file: its first piece is there before anything of the answer is, so that what goes wrong until then is answered as
 * what it is.
 *
 * @throws TakesLong where nobody should wait for it
 */
export const beginFile = async ({ mayBePrepared }: AnyEndpoint, file: FileAnswer): Promise<FileAnswer> => {
  const long = () => new TakesLong({ kind: 'file', name: file.name })
  if (mayBePrepared && file.size && file.size.rows > file.size.direct) throw long()
  const chunks = file.chunks[Symbol.asyncIterator]()
  const first = await chunks.next().catch((error: unknown) => {
    throw error instanceof TooManyRows ? long() : error
  })
  const all = async function* () {
    if (first.done) return
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { ...file, chunks: all() }
}

interface Asking {
  user: User
  isViewing: boolean
  programId: number
  action: string
  address: string
}

/**
 * Leaves the work to the worker; the answer is its task.
 *
 * @throws Failure 403 for an administrator who views as somebody else, 429 when the person has too many tasks
 */
export const prepareLater = async (
  services: Services,
  { user, isViewing, programId, action, address }: Asking,
  { raw, work }: { raw: TaskInput; work: LaterWork },
  once: (db: Db, context: TransactionContext, add: () => Promise<TaskAnswer>) => Promise<unknown>,
): Promise<{ result: unknown; takenKey: string | undefined }> => {
  if (isViewing) throw fail(coreFailures.viewing_long_work, { Name: work.name, Person: user.Name })
  let takenKey: string | undefined
  const result = await transaction(
    services.transactions,
    { accountId: user.Id, programIds: [programId], isSuper: user.isSuperAdmin },
    (db, context) =>
      once(db, context, async () => {
        const Task = await addTask(
          db,
          { programId, accountId: user.Id, keyId: user.key?.Id ?? null, action, address },
          raw,
          work,
        )
        takenKey = work.uploadKey
        return { Task }
      }),
  )
  return { result, takenKey }
}
