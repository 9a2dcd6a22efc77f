import type { DeclaredFailure } from '#contract/core/failure.ts'
import { identityFailures } from '#contract/identity/failures.ts'
import { verifyPassword } from '#server/core/auth/password.ts'
import { hashCode, unseal } from '#server/core/auth/seal.ts'
import { type Db, transaction } from '#server/core/database/pool.ts'
import { giveBack } from '#server/core/http/throttle.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { consumeRecoveryCode } from './authenticator.commands.ts'
import { consumeStep } from './authenticator.queries.ts'
import { readRecoveryCode, stepOfCode, totpContext } from './authenticator.rules.ts'
import { tellOwner } from './emails.service.ts'
import type { LoginRow } from './sign-in.queries.ts'

const asks = (failure: DeclaredFailure): Failure => fail(failure, { extra: { TotpRequired: true } })

/** Whether a code of the app is right; it is spent with that. Undefined for what is no code of the app. */
const isAppCode = async (
  db: Db,
  services: Services,
  login: LoginRow,
  typed: string,
): Promise<boolean | undefined> => {
  const { account_id: accountId } = login
  const step = stepOfCode(
    // Asked only of those who have set one up.
    unseal(services.config.secretKey, totpContext(accountId), login.totp_secret!),
    typed,
  )
  return step === undefined ? undefined : consumeStep(db, accountId, step)
}

const isRight = async (db: Db, services: Services, login: LoginRow, typed: string): Promise<boolean> => {
  const { secretKey } = services.config
  const { account_id: accountId } = login
  const isOfApp = await isAppCode(db, services, login, typed)
  if (isOfApp !== undefined) return isOfApp
  const code = readRecoveryCode(typed)
  if (!code) return false
  if (!(await consumeRecoveryCode(db, accountId, hashCode(secretKey, `recovery ${accountId}`, code))))
    return false
  await tellOwner(db, services, login, 'recovery_code')
  return true
}

/**
 * Asks for the code of the authenticator where the account has one; every way of signing in passes through here. A code of
 * the app and a recovery code each work once. The caller has counted the attempt, and says under which keys: without a code
 * nothing was guessed, and the attempt does not count.
 *
 * @throws Failure 401 with TotpRequired when the code is missing, wrong or used
 */
export const requireSecondFactor = async (
  db: Db,
  services: Services,
  login: LoginRow,
  { code, address, countedAs }: { code: string | undefined; address: string; countedAs?: readonly string[] },
): Promise<void> => {
  if (!login.totp_secret) return
  if (!code?.trim()) for (const key of countedAs ?? []) await giveBack(services.pool, key)
  if (!code?.trim()) throw asks(identityFailures.code_required)
  if (await isRight(db, services, login, code)) return
  await writeRefusal(services, login, address)
  throw asks(identityFailures.code_wrong)
}

/**
 * Whether the signed-in person has proved again who it is, by a code of the app or the password. Recovery codes count only
 * for those without a password: whoever sits at an open session can make new ones.
 */
export const isProvenAnew = async (
  db: Db,
  services: Services,
  login: LoginRow,
  { Code = '', Password = '' }: { Code?: string | undefined; Password?: string | undefined },
): Promise<boolean> => {
  if (Password !== '') return verifyPassword(login.password_hash, Password)
  if (Code.trim() === '') return false
  if (login.password_hash) return (await isAppCode(db, services, login, Code)) ?? false
  return isRight(db, services, login, Code)
}

/** A refused sign-in in the audit, in its own transaction: the call's own one is rolled back by the refusal. */
export const writeRefusal = async (
  services: Services,
  login: Pick<LoginRow, 'account_id' | 'program_id'> | undefined,
  address: string,
  userName?: string,
): Promise<void> => {
  await transaction(services.pool, { accountId: null, programIds: [] }, (own) =>
    writeAudit(own, {
      programId: login?.program_id ?? null,
      accountId: login?.account_id ?? null,
      action: 'sign-in refused',
      address,
      ...(userName !== undefined && { detail: { UserName: userName.slice(0, 50) } }),
    }),
  )
}
