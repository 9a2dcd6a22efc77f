import type { UserDetail } from '#contract/people/people.ts'
import { highestManageableLevel } from '#server/core/auth/api-key.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { conflict, Failure, notFound, ruleBroken } from '#server/core/runtime/failure.ts'
import { findMergeOf } from './merging.queries.ts'
import { findUser } from './people.queries.ts'

/** A person of the program. */
export const getUser = async (db: Db, programId: number, user: User, userId: number): Promise<UserDetail> => {
  const found = await findUser(db, programId, user, userId)
  if (!found) throw notFound('This person')
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
    throw new Failure(
      403,
      'not_allowed',
      `${found.FirstName} ${found.LastName} has a higher level than you. Nothing was changed.`,
    )
  }
  return found
}

/** An account that was merged comes back with what belonged to it, or not at all. */
export const refuseMerged = async (db: Db, programId: number, userId: number): Promise<void> => {
  const merge = await findMergeOf(db, programId, userId)
  if (merge)
    throw conflict(
      'merged',
      `${merge.Name} was merged into the account of ${merge.Into.Name}. To have both again, undo the merge in Merge accounts. Nothing was changed.`,
    )
}

/** Test users are switched in one place only. */
export const refuseTestUser = ({ IsTestUser, FirstName, LastName }: UserDetail): void => {
  if (!IsTestUser) return
  throw ruleBroken(
    'test_user',
    `${FirstName} ${LastName} is a test user: a super admin switches the access in Test Users Access. Nothing was changed.`,
  )
}
