import { verifyPassword } from '#server/core/auth/password.ts'
import type { Db } from '#server/core/database/pool.ts'
import { quarterHour, resetThrottle, throttle } from '#server/core/http/throttle.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { requireSecondFactor, writeRefusal } from './second-factor.ts'
import { findLogin, type LoginRow } from './sign-in.queries.ts'

/**
 * Whose user name and password these are, with the code of the authenticator where there is one. Every attempt counts, whatever it is
 * for: two ways in do not give twice the guesses.
 *
 * @throws Failure 401 when they are not right, with TotpRequired when a code is missing or wrong; 429 after too many attempts
 */
export const provePassword = async (
  { db, services, from }: { db: Db; services: Services; from: { address: string } },
  { UserName, Password, Code }: { UserName: string; Password: string; Code?: string | undefined },
): Promise<LoginRow> => {
  const name = UserName.trim().toLowerCase()
  const accountKey = `sign-in:account:${name}`
  await throttle(services.pool, [
    { key: accountKey, max: 10, windowSeconds: quarterHour },
    { key: `sign-in:address:${from.address}`, max: 300, windowSeconds: quarterHour },
  ])
  const found = await findLogin(db, name)
  const isRight = await verifyPassword(found?.password_hash, Password)
  if (!found || !isRight || !found.is_active) {
    await writeRefusal(services, found, from.address, name)
    throw new Failure(
      401,
      'wrong_credentials',
      'User name or password is not right. Check both and try again.',
    )
  }
  // Only a complete sign-in resets the count: a right password alone would give endless guesses of the code.
  await requireSecondFactor(db, services, found, {
    code: Code,
    address: from.address,
    countedAs: accountKey,
  })
  await resetThrottle(services.pool, accountKey)
  return found
}
