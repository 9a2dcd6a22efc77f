import { peopleFailures } from '#contract/people/failures.ts'
import type { UserDetail } from '#contract/people/people.ts'
import { highestManageableLevel } from '#server/core/auth/api-key.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findMergeOf } from './merging.queries.ts'
import { findUser } from './people.queries.ts'

/** A person of the program. */
export const getUser = async (db: Db, programId: number, user: User, userId: number): Promise<UserDetail> => {
  const found = await findUser(db, programId, user, userId)
  if (!found) throw fail(peopleFailures.no_person)
  return found
}

/** A person of the program whom the caller may change: nobody above their own level. */
export const getChangeable = async (
  db: Db,
  programId: number,
  user: User,
  userId: number,
): Promise<UserDetail> => {
  const found = await getUser(db, programId, user, userId)
  if (found.AccessLevel > highestManageableLevel(user)) {
    throw fail(peopleFailures.not_allowed, { FirstName: found.FirstName, LastName: found.LastName })
  }
  return found
}

/** An account that was merged comes back with what belonged to it, or not at all. */
export const refuseMerged = async (db: Db, programId: number, userId: number): Promise<void> => {
  const merge = await findMergeOf(db, programId, userId)
  if (merge) throw fail(peopleFailures.merged, { Name: merge.Name, Into: merge.Into.Name })
}

/** Test users are switched in one place only. */
export const refuseTestUser = ({ IsTestUser, FirstName, LastName }: UserDetail): void => {
  if (!IsTestUser) return
  throw fail(peopleFailures.test_user, { FirstName, LastName })
}
