import * as contract from '#contract/identity/authenticator.ts'
import { identityFailures } from '#contract/identity/failures.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { hashCode, seal, unseal } from '#server/core/auth/seal.ts'
import type { User } from '#server/core/auth/session.ts'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import { requireProof } from '#server/core/http/guard.ts'
import { type Call, handle } from '#server/core/http/handle.ts'
import { throttle } from '#server/core/http/throttle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { replaceRecoveryCodes, saveDraft, setAuthenticator } from './authenticator.commands.ts'
import { countRecoveryCodes, findDraft, hasAuthenticator } from './authenticator.queries.ts'
import { newRecoveryCode, newSecret, stepOfCode, totpContext } from './authenticator.rules.ts'
import { addressee, tellOwner } from './emails.service.ts'
import { isProvenAnew } from './second-factor.service.ts'
import { findLogin } from './sign-in.queries.ts'

const refuseOthers = (user: User, userId: number): void => {
  if (user.Id !== userId) throw fail(peopleFailures.no_person)
}

const wrongCode =
  'That code is not right. Check that the clock of your phone is, wait for the next code and type that.'

/** Enables with the secret issued to this session and a code of it; answers why not, or null. */
const enable = async (
  {
    db,
    user,
    session,
    services,
  }: Pick<Call<unknown, unknown, unknown>, 'db' | 'user' | 'session' | 'services'>,
  { Secret = '', Code = '' }: { Secret?: string | undefined; Code?: string | undefined },
): Promise<string | null> => {
  // Nothing was guessed, so nothing counts.
  if (!Code.trim()) return wrongCode
  await throttle(services.pool, [{ key: `totp:account:${user.Id}`, max: 20, windowSeconds: 900 }])
  const { secretKey } = services.config
  const context = totpContext(user.Id)
  const draft = await findDraft(db, session.id)
  const secret = draft && unseal(secretKey, context, draft)
  if (!secret || secret !== Secret.replace(/\s/g, '')) {
    return 'This secret has expired. Choose Cancel and Enable Authenticator again.'
  }
  const step = stepOfCode(secret, Code)
  if (step === undefined) {
    return wrongCode
  }
  const isEnabled = await setAuthenticator(db, user.Id, { sealed: seal(secretKey, context, secret), step })
  if (!isEnabled) return 'You have an authenticator already. Disable it first.'
  await saveDraft(db, session.id, null)
  // Whoever signed in without the code before is asked for it now.
  await endSessionsOf(db, user.Id, 'authenticator', session.id)
  await tellOwner(db, services, addressee(user), 'authenticator_on')
  return null
}

/** Disables for whoever proves again who it is; answers why not, or null. An open session alone is not enough. */
const disable = async (
  { db, user, services }: Pick<Call<unknown, unknown, unknown>, 'db' | 'user' | 'services'>,
  proof: { Code?: string | undefined; Password?: string | undefined },
): Promise<string | null> => {
  const login = await findLogin(db, user.UserName)
  if (!login?.totp_secret) return null
  if (!proof.Code?.trim() && !proof.Password)
    return 'Type your password or a code of your authenticator to disable it.'
  await throttle(services.pool, [{ key: `totp:account:${user.Id}`, max: 20, windowSeconds: 900 }])
  if (!(await isProvenAnew(db, services, login, proof)))
    return 'That is not right, so your authenticator is still on. Check your password, or wait for the next code.'
  if (await setAuthenticator(db, user.Id, null))
    await tellOwner(db, services, addressee(user), 'authenticator_off')
  return null
}

export const authenticatorRoutes = [
  handle(contract.createTotpSecret, async ({ db, user, session, services }) => {
    const secret = newSecret()
    await saveDraft(db, session.id, seal(services.config.secretKey, totpContext(user.Id), secret))
    return { Secret: secret }
  }),

  handle(contract.getTotpSettings, async ({ db, params, user }) => {
    refuseOthers(user, params.userId)
    return { Enabled: await hasAuthenticator(db, user.Id), UserName: user.UserName }
  }),

  handle(contract.saveTotpSettings, async (call) => {
    const { db, params, body, user, session, audit } = call
    refuseOthers(user, params.userId)
    // Disabling it asks in its own words.
    if (body.Enable) requireProof(session, { lasts: true })
    audit.subjectId = user.Id
    const refusal = await (body.Enable ? enable(call, body) : disable(call, body))
    audit.detail = { Enable: body.Enable, Success: refusal === null }
    return {
      Success: refusal === null,
      ErrorMessage: refusal,
      UserTotp: { Enabled: await hasAuthenticator(db, user.Id), UserName: user.UserName },
    }
  }),

  handle(contract.getRecoveryCodes, async ({ db, user }) => ({
    Left: await countRecoveryCodes(db, user.Id),
  })),

  handle(contract.createRecoveryCodes, async ({ db, user, services, audit }) => {
    audit.subjectId = user.Id
    if (!(await hasAuthenticator(db, user.Id))) {
      throw fail(identityFailures.no_authenticator)
    }
    const codes = Array.from({ length: contract.recoveryCodeCount }, newRecoveryCode)
    await replaceRecoveryCodes(
      db,
      user.Id,
      codes.map((code) => hashCode(services.config.secretKey, `recovery ${user.Id}`, code)),
    )
    await tellOwner(db, services, addressee(user), 'recovery_codes')
    return { Codes: codes }
  }),
]
