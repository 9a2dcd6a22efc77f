import { randomInt, timingSafeEqual } from 'node:crypto'
import type { DeclaredFailure } from '#contract/core/failure.ts'
import { identityFailures } from '#contract/identity/failures.ts'
import * as contract from '#contract/identity/proofs.ts'
import { newGivenProof } from '#server/core/auth/given-proof.ts'
import { verifyPassword } from '#server/core/auth/password.ts'
import { hashCode } from '#server/core/auth/seal.ts'
import { noteProof, type Session, type User } from '#server/core/auth/session.ts'
import { keepProofCode, takeProofCode } from '#server/core/auth/session-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { type Limit, quarterHour, resetThrottle, throttle } from '#server/core/http/throttle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { proofEmail } from './emails.service.ts'
import { guessesOf } from './password-proof.service.ts'
import { requireSecondFactor, writeRefusal } from './second-factor.service.ts'
import { findLogin, type LoginRow } from './sign-in.queries.ts'

const codeHash = ({ config }: Services, session: Session, code: string): Buffer =>
  hashCode(config.secretKey, `proof ${session.id}`, code.replace(/\s/g, ''))

/** Its row; whoever is signed in has one. */
const loginOf = async (db: Db, user: User): Promise<LoginRow> => (await findLogin(db, user.UserName))!

/** Where a code may be mailed to: never an address that was entered and not confirmed. */
const mailboxOf = (login: LoginRow, user: User): string | null =>
  login.password_hash || !user.IsEmailAddressConfirmed || user.EmailAddress === '' ? null : user.EmailAddress

/** The same count as at sign-in, so that a session gives no further guesses. */
const ofAddress = (address: string): Limit => ({
  key: `sign-in:address:${address}`,
  max: 300,
  windowSeconds: quarterHour,
})

const kindsOf = (
  login: LoginRow,
  mailbox: string | null,
  { isProven }: Session,
): (typeof contract.proofKinds)[number][] => {
  if (login.password_hash) return ['password']
  if (mailbox) return ['email']
  return isProven ? ['sign-in'] : []
}

export const proofRoutes = [
  handle(contract.getProofKinds, async ({ db, user, session }) => {
    const login = await loginOf(db, user)
    const mailbox = mailboxOf(login, user)
    return {
      Kinds: kindsOf(login, mailbox, session),
      NeedsCode: login.totp_secret !== null,
      EmailAddress: mailbox,
    }
  }),

  handle(contract.mailProofCode, async ({ db, user, session, services }) => {
    await throttle(services.pool, [
      { key: `proof-code:account:${user.Id}`, max: 5, windowSeconds: quarterHour },
    ])
    const mailbox = mailboxOf(await loginOf(db, user), user)
    if (!mailbox) throw fail(identityFailures.no_mailbox)
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await keepProofCode(db, session.id, codeHash(services, session, code))
    await queueTemplatedEmails(db, [proofEmail(user, mailbox, code)])
  }),

  handle(contract.prove, async ({ db, body, user, session, services, from, audit }) => {
    audit.subjectId = user.Id
    audit.detail = { Kind: body.Kind }
    const guesses = guessesOf(user.UserName)
    await throttle(services.pool, [...guesses, ofAddress(from.address)])
    const login = await loginOf(db, user)
    const refuse = async (field: string, failure: DeclaredFailure): Promise<never> => {
      await writeRefusal(services, login, from.address)
      throw fail(failure, field)
    }
    if (body.Kind === 'password') {
      if (!(await verifyPassword(login.password_hash, body.Password, { isSignedIn: true })))
        await refuse('Password', identityFailures.wrong_password_proof)
    } else if (body.Kind === 'email') {
      const typed = codeHash(services, session, body.MailedCode)
      const kept = await takeProofCode(services.pool, session.id)
      if (!mailboxOf(login, user) || !kept || !timingSafeEqual(typed, kept))
        await refuse('MailedCode', identityFailures.wrong_mailed_code)
    } else if (!kindsOf(login, mailboxOf(login, user), session).includes('sign-in'))
      await refuse('Kind', identityFailures.sign_in_to_prove)
    await requireSecondFactor(db, services, login, {
      code: body.Code,
      address: from.address,
      countedAs: guesses.map(({ key }) => key),
    }).catch((error: unknown) => {
      // 401 would say that the session is over.
      if (error instanceof Failure && error.status === 401)
        throw fail(identityFailures.wrong_second_factor, { Reason: error.sentence }, 'Code')
      throw error
    })
    await resetThrottle(services.pool, ...guesses.map(({ key }) => key))
    // A sign-in proves no longer than it does: nothing was given that could be asked for again.
    if (body.Kind !== 'sign-in') await noteProof(db, session.id)
    return { Proof: newGivenProof(services.config.secretKey, session.id) }
  }),
]
