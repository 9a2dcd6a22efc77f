import { identityFailures } from '#contract/identity/failures.ts'
import { verifyPassword } from '#server/core/auth/password.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Limit, quarterHour, resetThrottle, throttle } from '#server/core/http/throttle.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { requireSecondFactor, writeRefusal } from './second-factor.service.ts'
import { findLogin, type LoginRow } from './sign-in.queries.ts'

/** How often what somebody types as their name is tried, and how often an account is, by whatever was typed for it. */
const limitOf = (what: 'typed' | 'account', name: string): Limit => ({
  key: `sign-in:${what}:${name.toLowerCase()}`,
  max: 10,
  windowSeconds: quarterHour,
})

/** The counts of sign-in for every other way in, so that it gives no further guesses. */
export const guessesOf = (userName: string): Limit[] => [
  limitOf('typed', userName),
  limitOf('account', userName),
]

/** Whether a name has had all its attempts, counting this one. Nobody is told. */
const isSpent = async (services: Services, limit: Limit): Promise<boolean> => {
  try {
    await throttle(services.pool, [limit])
    return false
  } catch (error) {
    if (error instanceof Failure && error.code === 'throttled') return true
    throw error
  }
}

/**
 * Whose user name and password these are, with the code of the authenticator where there is one. An email that one account has
 * confirmed does as well as its user name. Every attempt counts, whatever it is for: two ways in do not give twice the guesses.
 *
 * @throws Failure 401 when they are not right, with TotpRequired when a code is missing or wrong; 429 after too many attempts
 */
export const provePassword = async (
  { db, services, from }: { db: Db; services: Services; from: { address: string } },
  { UserName, Password, Code }: { UserName: string; Password: string; Code?: string | undefined },
): Promise<LoginRow> => {
  const name = UserName.trim().toLowerCase()
  const typed = limitOf('typed', name)
  await throttle(services.pool, [
    typed,
    { key: `sign-in:address:${from.address}`, max: 300, windowSeconds: quarterHour },
  ])
  const found = await findLogin(db, name)
  // The account counts what was typed as its user name and as its email. A refusal for that would tell whose email it is: here the
  // password is wrong then.
  const account = limitOf('account', found?.user_name ?? name)
  const isGuessed = await isSpent(services, account)
  const isRight = await verifyPassword(found?.password_hash, Password)
  if (!found || !isRight || !found.is_active || isGuessed) {
    await writeRefusal(services, found, from.address, name)
    throw fail(identityFailures.wrong_credentials)
  }
  // Only a complete sign-in resets the count: a right password alone would give endless guesses of the code.
  await requireSecondFactor(db, services, found, {
    code: Code,
    address: from.address,
    countedAs: [typed.key, account.key],
  })
  await resetThrottle(services.pool, typed.key, account.key)
  return found
}
