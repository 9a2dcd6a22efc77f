import { keyFailures } from '#contract/keys/failures.ts'
import { maxKeys } from '#contract/keys/keys.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { listApiKeys } from './keys.queries.ts'

export { insertApiKey, revokeApiKey } from './keys.commands.ts'

/** @throws Failure 409 for a name that another key has, 422 when there are too many */
export const refuseName = async (
  db: Db,
  programId: number,
  name: string,
  isForAllPrograms = false,
): Promise<void> => {
  const keys = (await listApiKeys(db, programId)).filter((key) => key.IsForAllPrograms === isForAllPrograms)
  if (keys.length >= maxKeys) throw fail(keyFailures.too_many, { Count: maxKeys })
  if (keys.some(({ Name }) => Name.toLowerCase() === name.toLowerCase()))
    throw fail(keyFailures.name_taken, { Name: name }, 'Name')
}
